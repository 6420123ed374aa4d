// Numbers of the system, in the widths that they have on Apple's systems.
#ifndef DARWIN_TYPES_H
#define DARWIN_TYPES_H
#include <stddef.h>
#include <stdint.h>

typedef long ssize_t;
typedef long time_t;
typedef unsigned long clock_t;
typedef int64_t off_t;
typedef int64_t blkcnt_t;
typedef int32_t blksize_t;
typedef uint16_t mode_t;
typedef uint16_t nlink_t;
typedef int32_t dev_t;
typedef uint64_t ino_t;
typedef uint32_t uid_t;
typedef uint32_t gid_t;
typedef uint32_t id_t;
typedef int32_t pid_t;
typedef int32_t suseconds_t;

struct timespec {
  time_t tv_sec;
  long tv_nsec;
};

struct timeval {
  time_t tv_sec;
  suseconds_t tv_usec;
};

// Not on television sets and watches, which run one program alone.
#define NOT_ON_TV_AND_WATCH __attribute__((availability(tvos, unavailable), availability(watchos, unavailable)))
// On computers alone.
#define ON_MAC_ALONE                                                                                       \
  __attribute__((availability(ios, unavailable), availability(tvos, unavailable),                          \
                 availability(watchos, unavailable), availability(visionos, unavailable)))

#endif
