# error
# no_wait_for_info - a warpgroup does not wait for the copies of what is known of its rows and columns
s/^    __pipeline_wait_prior(0);//
