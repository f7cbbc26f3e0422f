# hang: ncclSend
# sent_to_all - slices go to ranks without columns, too, which receive none
s/send > 0 && wanted/send > 0/
