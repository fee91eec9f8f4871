"""From a description to the records that kernels work on."""
