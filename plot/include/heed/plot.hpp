/// heed::plot: attention weights as heat maps and masks as tile maps, in SVG and PNG files.
#ifndef HEED_PLOT_HPP
#define HEED_PLOT_HPP

#include "heed/plot/cells.hpp"
#include "heed/plot/color.hpp"
#include "heed/plot/error.hpp"
#include "heed/plot/heat_map.hpp"
#include "heed/plot/matrix.hpp"
#include "heed/plot/page.hpp"
#include "heed/plot/scale.hpp"
#include "heed/plot/text.hpp"
#include "heed/plot/tile_map.hpp"
#include "heed/plot/write.hpp"

#endif
