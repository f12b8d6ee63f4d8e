#include "../consumer/use_first.hpp"

int main() { return use_first() && misuse_first() ? 0 : 1; }
