// Functions of numbers that the standard library has no names for.
#ifndef DARWIN_MATHEMATICS_H
#define DARWIN_MATHEMATICS_H
double exp(double number);
double log(double number);
double log1p(double number);
double log2(double number);
double log10(double number);
double pow(double base, double exponent);
double cos(double number);
double erfc(double number);
double lgamma(double number);
double lgamma_r(double number, int *_Nonnull sign);
#endif
