# error
# magnitudes_not_restored - the second pass has no magnitudes of other ranks' columns
/restore_magnitudes_kernel<<</d
