# cmake -DCOMPILER=<path> -DPAGE=<docs/ops.md> -DINCLUDE=<folder> -DFOLDER=<scratch> -P check_examples.cmake
#
# Compiles every example of the page as a kernel of its own. The first code block of the page begins each of them.
if(NOT COMPILER)
  message(FATAL_ERROR "clang++-22 was not found, both compilers are tested; run ./dev setup and configure again")
endif()
file(READ ${PAGE} page)
# Brackets and semicolons would tear a list apart.
string(REPLACE ";" "<semicolon>" page "${page}")
string(REPLACE "[" "<open>" page "${page}")
string(REPLACE "]" "<close>" page "${page}")
string(REGEX MATCHALL "```cpp\n([^`]*)```" examples "${page}")
list(POP_FRONT examples preamble)

set(spec "#include <heed/dsl.hpp>
using namespace heed;
constexpr extent batch{\"batch\"}, queries{\"queries\"}, keys{\"keys\"};\n")
set(count 0)
foreach(example IN LISTS examples)
  math(EXPR count "${count} + 1")
  if(example MATCHES "// at namespace scope")
    string(APPEND spec "${example}")
  else()
    string(APPEND spec "constexpr kernel example_${count}{\"example_${count}\", <open><close>(graph &g) {
${preamble}{\n${example}}\ng.output(\"y\", linear(merge_heads(matmul(softmax(scores), v)), w, bias) + x);\n}};
HEED_EXPORT(example_${count});\n")
  endif()
endforeach()
string(REGEX REPLACE "```(cpp\n)?" "" spec "${spec}")
string(REPLACE "<semicolon>" ";" spec "${spec}")
string(REPLACE "<open>" "[" spec "${spec}")
string(REPLACE "<close>" "]" spec "${spec}")
if(count LESS 20)
  message(FATAL_ERROR "only ${count} examples were found in ${PAGE}")
endif()
file(WRITE ${FOLDER}/examples.cpp "${spec}")
execute_process(COMMAND ${COMPILER} -std=c++20 -fsyntax-only -I${INCLUDE} ${FOLDER}/examples.cpp
  RESULT_VARIABLE result ERROR_VARIABLE said)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "an example does not compile:\n${said}")
endif()
message(STATUS "${count} examples compile")
