// The name under which C includes it.
#include "darwin_threads.h"
