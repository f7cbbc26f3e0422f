/* cufile.h - not provided, said at compile time. */
#error "cudacpu does not provide GPUDirect Storage: read the file on the host and copy it"
