#pragma once

constexpr int depth = 4;
