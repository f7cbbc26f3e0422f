# expect 0: thread \(0,0\) read through a null pointer \(address 8\), at student.cu:27
# gpu 0: an illegal memory access was encountered
s/= sum;$/= *(ELEMENT *)8;/
