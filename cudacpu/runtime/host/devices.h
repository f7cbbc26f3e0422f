/* devices.h - devices and peer access: which there are, which one each OS thread uses, and who may
 * touch whose memory. They share this machine's processors and memory; what each allocates is its
 * own. */
#ifndef CUDACPU_RUNTIME_DEVICES_H
#define CUDACPU_RUNTIME_DEVICES_H
#include <string>

namespace cudacpu {

const int MAX_DEVICES = 64;

int device_count(); /* CUDACPU_DEVICES, else 1; 0: as a machine without a GPU */
bool is_device(int number);
/* Of this OS thread: what cudaSetDevice chose, else 0. While an operation is done it is that of the
 * operation's stream. */
int current_device();
/* " of device 1", " on device 1"; "" where there is one device. */
std::string of_device(int device);
std::string on_device(int device);

/* Another device is the current one as long as it exists. */
class device_scope {
    const int before;

  public:
    explicit device_scope(int device);
    ~device_scope();
    device_scope(const device_scope &) = delete;
};

/* May kernels of the device touch the owner's memory? Their own they may. */
bool has_access(int device, int owner);
/* The device is reset: its access to others ends, and theirs to it. */
void forget_access(int device);

} // namespace cudacpu
#endif
