/* A program that only knows the installed library. */
#include <sar/alloc.h>
#include <sar/sim.h>

int main(void) {
  sar_device *device;
  sar_pool *pool;
  sar_stream stream;
  sar_addr x;
  if (sar_sim_create(&device, NULL) || sar_create(&pool, NULL, sar_device_backend(device)) ||
      sar_stream_create(&stream, device) || sar_malloc(&x, pool, 4096, stream) ||
      sar_free(pool, x) || sar_destroy(pool))
    return 1;
  sar_device_destroy(device);
  return 0;
}
