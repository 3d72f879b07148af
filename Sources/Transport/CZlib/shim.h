#ifndef HOLDFAST_CZLIB_H
#define HOLDFAST_CZLIB_H

#include <zlib.h>

#endif
