// Every operation of the dialect, for the generator.
include "HeedKernelOps.td"
include "HeedTensorOps.td"
include "HeedElementwiseOps.td"
include "HeedRegionOps.td"
include "HeedRowOps.td"
