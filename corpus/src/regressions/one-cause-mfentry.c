void ext(char*);int g(int);
int f1(int a){char b[64];ext(b);return b[a];}
int f2(int a){char b[9000];ext(b);return b[a]+g(a);}
int f3(int a,int c){ if(a) return g(a)+c; return g(c)*3+a;}
int f4(int n){char *p=__builtin_alloca(n);ext(p);return p[0]+n;}
long f5(long a,long b,long c,long d,long e,long f,long h){return g(a)+g(b)+g(c)+g(d)*g(e)+g(f)-g(h);}
