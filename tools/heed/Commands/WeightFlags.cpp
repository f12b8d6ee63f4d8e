#include "Commands/WeightFlags.h"

namespace heed::tools {

void addWeightFlags(CLI::App &command, WeightFiles &files) {
  command
      .add_option(
          "--weights", files.files,
          "FILE[,FILE…]: safetensors files, .npy files and folders of .npy files with the weights that "
          "--in doesn't give, found by name; '.' and '/' in the files' names are '_' in the kernel's")
      ->delimiter(',')
      ->take_all();
  command.add_option(
      "--map", files.map,
      "File with lines 'kernel_name = file.name' for weights that are named otherwise; * stands "
      "for any part of a name, NAME.T for the transpose, NAME[0 of 3] for a third of axis 0, {*} "
      "for the numbers of layers that are stacked");
  command.add_option("--prefix", files.prefix, "What every name in the files begins with");
}

} // namespace heed::tools
