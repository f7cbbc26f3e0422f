# expect 0: never written|missing event
# gpu 0: never written|wrong|not a number|missing event
/cudaStreamWaitEvent(products, sent, 0)/d
