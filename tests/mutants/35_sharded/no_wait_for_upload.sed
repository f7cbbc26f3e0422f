# error
# no_wait_for_upload - columns of B go to the other ranks before they have come
s/up = send_before(&to_b, &to_a);/transfer first = start_transfer(\&to_b); up = start_transfer(\&to_a); finish_transfer(\&first);/
