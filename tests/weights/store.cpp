// Files and folders together: names, doubles, all mistakes at once.
#include "files.hpp"

#include <heed/weights.hpp>

#include <catch2/catch.hpp>

using namespace heed;
using namespace heed::test;

TEST_CASE("safetensors, .npy files and folders of them make one store") {
  const folder place;
  const std::string first = place.write("a.safetensors", safetensors({f32("layers.0.w_q", {1}, {1})}));
  const std::string second = place.write("w_out.npy", npy_f32({1}, {2}));
  place.write("parts/b.npy", npy_f32({1}, {3}));
  place.write("parts/a.npy", npy_f32({1}, {4}));
  place.write("parts/readme.txt", "no array");
  const auto store = load_weights({first, second, place / "parts"});
  REQUIRE(store.ok());
  std::vector<std::string> names;
  for (const stored_tensor &tensor : store->tensors())
    names.push_back(tensor.name);
  CHECK(names == std::vector<std::string>{"layers.0.w_q", "w_out", "a", "b"});
}

TEST_CASE("a tensor outlives the store it was loaded from, and copies share memory") {
  const folder place;
  weights_store copy;
  {
    const auto store = load_weights({place.write("w.npy", npy_f32({2}, {1, 2}))});
    REQUIRE(store.ok());
    copy = *store;
  }
  const auto array = load(copy.tensors().front(), HEED_F64);
  REQUIRE(array.ok());
  copy = {};
  CHECK(reinterpret_cast<const double *>(array->data.get())[1] == 2);
  CHECK(reinterpret_cast<std::uintptr_t>(array->data.get()) % 64 == 0);
}

TEST_CASE("names are found as kernels spell them") {
  const folder place;
  const auto store = load_weights({place.write(
      "m.safetensors", safetensors({f32("a.b_c", {1}, {1}), f32("a/b.c", {1}, {2}), f32("x.y", {1}, {3})}))});
  REQUIRE(store.ok());
  REQUIRE(store->find("x_y").size() == 1);
  CHECK(store->find("x_y")[0]->name == "x.y");
  CHECK(store->find("a_b_c").size() == 2);
  REQUIRE(store->find("a.b_c").size() == 1);
  CHECK(store->find("a.b_c")[0]->name == "a.b_c");
  CHECK(store->find("x_z").empty());
}

TEST_CASE("all files that can't be used are told at once") {
  const folder place;
  const std::string good = place.write("w.npy", npy_f32({1}, {1})), bad = place.write("bad.npy", "text"),
                    again = place.write("m.safetensors", safetensors({f32("w", {1}, {1})})),
                    missing = place / "none.safetensors", empty = place.write("empty.safetensors", "");
  std::filesystem::create_directory(place / "folder");
  CHECK(
      std::string(load_weights({bad, missing, empty, place / "folder"}).message()) ==
      bad + ": is not a .npy file\n" + missing + ": can't be read: No such file or directory\n" + empty +
          ": has 0 bytes, a safetensors file begins with the 8 of its header's length\n" +
          (place / "folder") +
          ": is a folder without .npy files, at least one is needed; name a file or a folder of .npy files");
  CHECK(std::string(load_weights({good, again}).message()) ==
        "w: is in " + good + " and in " + again + ", one file is needed; leave one of them out");
}
