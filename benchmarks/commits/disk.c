/* A disk that is slow to write through, for the PostgreSQL that this is loaded into (LD_PRELOAD).
 *
 * Each fdatasync takes longer by the microseconds in the file that SLOW_DISK names: eight bytes,
 * which all processes have mapped. PostgreSQL on Linux writes its log through by fdatasync.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static volatile const int64_t *microseconds;
static int (*real)(int);

__attribute__((constructor)) static void begin(void)
{
    const char *path = getenv("SLOW_DISK");
    int file = path ? open(path, O_RDONLY) : -1;

    real = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
    if (file >= 0) {
        void *bytes = mmap(NULL, sizeof *microseconds, PROT_READ, MAP_SHARED, file, 0);
        if (bytes != MAP_FAILED)
            microseconds = bytes;
        close(file);
    }
}

int fdatasync(int file)
{
    int failed = real(file);

    if (microseconds && *microseconds > 0) {
        struct timespec left = {*microseconds / 1000000, *microseconds % 1000000 * 1000};
        while (nanosleep(&left, &left))
            ;
    }
    return failed;
}
