#pragma once
/// \file
/// The two parts of the example. Each prints what it did and returns whether its results are right.

#include <string>

/// Batch 3, 5 queries, 7 keys, random weights.
bool run_small_block();

/// One sentence looks at another through trained weights; `data` is the folder with the .npy files.
bool run_sentences(const std::string &data);
