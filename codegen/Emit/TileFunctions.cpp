//===- TileFunctions.cpp - The machine code of a library ------------------===//

#include "TileFunctions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ThreadPool.h"

#include <mutex>

namespace heed {

std::string identifier(llvm::StringRef text) {
  std::string result;
  for (char c : text)
    result += llvm::isAlnum(c) ? c : '_';
  return result;
}

TileFunctions::TileFunctions(llvm::StringRef library) : prefix("heed_" + identifier(library) + "_") {}

llvm::Expected<std::string> TileFunctions::add(llvm::StringRef name, std::string key, Build build) {
  auto same = llvm::find_if(functions, [&](const Function &f) { return f.key == key; });
  if (same != functions.end())
    return same->symbol;
  auto taken = [&](const std::string &symbol) {
    return llvm::any_of(functions, [&](const Function &f) { return f.symbol == symbol; });
  };
  std::string base = prefix + identifier(name), symbol = base;
  for (int copy = 2; taken(symbol); ++copy)
    symbol = base + "_v" + std::to_string(copy);
  llvm::Expected<Compile> compile = build(symbol);
  if (!compile)
    return compile.takeError();
  functions.push_back({symbol, std::move(key), std::move(*compile)});
  return symbol;
}

llvm::Expected<std::vector<TileFunctions::Compiled>> TileFunctions::compile(CodeForm form,
                                                                            unsigned threads) const {
  std::vector<Compiled> results(functions.size());
  llvm::Error failures = llvm::Error::success();
  std::mutex mutex;
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency(threads));
  for (auto [function, result] : llvm::zip_equal(functions, results))
    pool.async([&, form] {
      llvm::Expected<std::string> code = function.compile(form);
      if (code) {
        result = {function.symbol, std::move(*code)};
        return;
      }
      std::lock_guard lock(mutex);
      failures = llvm::joinErrors(std::move(failures), code.takeError());
    });
  pool.wait();
  if (failures)
    return std::move(failures);
  return results;
}

llvm::Expected<std::string> TileFunctions::print(CodeForm form, unsigned threads) const {
  llvm::Expected<std::vector<Compiled>> functions = compile(form, threads);
  if (!functions)
    return functions.takeError();
  std::string text, comment = form == CodeForm::Assembly ? "# " : "// ";
  for (const Compiled &function : *functions)
    text += comment + function.symbol + "\n" + function.code + "\n";
  return text;
}

} // namespace heed
