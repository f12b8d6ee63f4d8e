# Tests in text: heed-opt reads, FileCheck compares. The paths come from CMake as parameters.
import lit.formats

config.name = "heed"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir"]
config.test_exec_root = lit_config.params["build"]
config.environment["PATH"] = lit_config.params["tools"] + ":" + config.environment["PATH"]
config.substitutions.append(("heed-opt", lit_config.params["heed_opt"]))
