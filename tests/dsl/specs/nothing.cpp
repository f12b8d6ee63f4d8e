// A spec that exports nothing is a module with an empty list.
#include <heed/dsl.hpp>
