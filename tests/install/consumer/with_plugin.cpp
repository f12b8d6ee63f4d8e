#include "use_first.hpp"

bool run_in_plugin();

int main() { return run_in_plugin() && use_first() ? 0 : 1; }
