// Exceptions through frames with destructors, a callback, and the standard library.
#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

struct Count {
    int &c;
    ~Count() { c++; }
};
__attribute__((noipa)) static void thrower(int n, int &c)
{
    Count d{c};
    if (n == 0)
        throw std::runtime_error("thrown");
    thrower(n - 1, c);
}
__attribute__((noipa)) static int caught(int n)
{
    int c = 0;
    try {
        thrower(n, c);
    } catch (const std::exception &) {
        c += 100;
    }
    return c;
}

int main()
{
    int s = 0;
    for (int i = 0; i < 4; i++)
        s += caught(i);
    std::vector<std::string> v;
    for (int i = 0; i < 20; i++)
        v.push_back(std::to_string(i * 7 % 20));
    std::sort(v.begin(), v.end());
    return s == 410 && v[3] == "11" ? 0 : 1;
}
