# expect 0: never written|missing event
/cudaStreamWaitEvent(products, sent, 0)/d
