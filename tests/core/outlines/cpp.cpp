#pragma once
#define LIMIT 10

namespace shop::core {

template <typename T>
class Cart : public Store<T> {
public:
    using value_type = T;
    explicit Cart(int limit) : limit_(limit) {}
    ~Cart();
    int size() const { return count_; }
    void add(const T& line);
    void add(T&& line);
    Cart& operator+=(const Cart& other);
    operator bool() const { return true; }
    template <class U> void each(U visit);
    static constexpr double kRate{1.5};

private:
    int limit_ = 0, count_ = 0;
    enum class State { Open, Paid };
    struct Item { int id; };
    union { int a; float b; };
};

template <>
class Cart<int> {
    void special();
};

int Price::net(int rate) const { return rate; }
Price::Price(int base) : base_(base) {}
int Price::shared = 1;

template <typename T>
void Cart<T>::add(const T& line) {}

std::ostream& operator<<(std::ostream& out, const Price& price);
constexpr int kLimit = 10;
using Names = std::vector<std::string>;

}  // namespace shop::core

namespace {
int hidden() { return 1; }
}

extern "C" {
int exported(void);
}

template <typename T>
concept Small = sizeof(T) <= 8;

enum Color { Red, Green };
typedef struct { int x; } point;
