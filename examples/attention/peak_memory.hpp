#pragma once
/// \file
/// What attention allocates does not grow with the square of the length.

/// Calls attention_d64 on one head of 32768 tokens and checks that less than 8 MiB were ever allocated at a
/// time.
bool check_peak_memory();
