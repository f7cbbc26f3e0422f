# error
# wgmma_copies_too_soon - a stage is filled while products still read it
s/wait_for_products<1>();/wait_for_products<7>();/
