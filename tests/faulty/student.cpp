// A course player as students write it, with one true fault chosen by name: student FAULT HOST PORT.
//
// Written from the course's document and from what was seen in labs, with no look at how the checker makes its
// diagnoses. tests/diagnoses.rs says what each fault truly is, and what may be said of it.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

static std::string fault;
static bool is(const char *name) { return fault == name; }

static int connect_to(const char *host, int port) {
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = is("port-not-swapped") ? static_cast<uint16_t>(port) : htons(static_cast<uint16_t>(port));
    if (is("wrong-port")) to.sin_port = htons(4);
    inet_pton(AF_INET, host, &to.sin_addr);
    if (connect(fd, reinterpret_cast<sockaddr *>(&to), sizeof to) != 0) {
        if (is("port-not-swapped") || is("wrong-port")) {
            perror("connect");
            std::exit(1);
        }
    }
    return fd;
}

static bool exactly(int fd, char *into, size_t count) {
    size_t have = 0;
    while (have < count) {
        ssize_t n = recv(fd, into + have, count - have, 0);
        if (n <= 0) return false;
        have += static_cast<size_t>(n);
        if (is("one-recv")) return true;
    }
    return true;
}

static std::string get(int fd) {
    if (is("char-buffer")) {
        char buffer[1024] = {0};
        if (recv(fd, buffer, sizeof buffer, 0) <= 0) std::exit(0);
        return std::string(buffer);
    }
    uint16_t size = 0;
    if (!exactly(fd, reinterpret_cast<char *>(&size), 2)) std::exit(0);
    if (!is("length-not-swapped-reading")) size = ntohs(size);
    if (is("short-buffer")) {
        char buffer[48] = {0};
        recv(fd, buffer, sizeof buffer - 1, 0);
        return std::string(buffer);
    }
    std::string text(size, ' ');
    if (!exactly(fd, text.data(), size)) std::exit(0);
    return text;
}

static void put(int fd, const std::string &text) {
    uint16_t size = htons(static_cast<uint16_t>(text.size()));
    if (is("length-not-swapped")) size = static_cast<uint16_t>(text.size());
    if (is("counts-the-zero")) size = htons(static_cast<uint16_t>(text.size() + 1));
    std::string data(reinterpret_cast<char *>(&size), 2);
    data += text;
    if (is("counts-the-zero")) data += '\0';
    if (is("sizeof-int")) {
        uint32_t wide = htonl(static_cast<uint32_t>(text.size()));
        data = std::string(reinterpret_cast<char *>(&wide), 4) + text;
    }
    if (is("no-length")) data = text;
    if (is("whole-buffer")) {
        data.resize(64, '\0');
    }
    if (is("host-length-of-pointer")) {
        size = htons(8);
        data = std::string(reinterpret_cast<char *>(&size), 2) + text;
    }
    send(fd, data.data(), data.size(), MSG_NOSIGNAL);
}

static int value(const std::string &card) {
    static const std::map<std::string, int> values = {{"J", 11}, {"Q", 12}, {"K", 13}, {"A", 14}};
    std::string v = card.substr(0, card.size() - 1);
    if (is("stoi-card")) return std::stoi(v);
    if (is("map-at-char")) {
        static const std::map<char, int> letters = {{'2', 2}, {'3', 3}, {'4', 4}, {'5', 5}, {'6', 6}, {'7', 7}, {'8', 8},
                                                    {'9', 9}, {'T', 10}, {'J', 11}, {'Q', 12}, {'K', 13}, {'A', 14}};
        return letters.at(card[0]);
    }
    auto found = values.find(v);
    return found != values.end() ? found->second : std::stoi(v);
}

static std::string decide(const std::string &text) {
    std::vector<std::string> f;
    std::stringstream stream(text);
    for (std::string part; std::getline(stream, part, ':');) f.push_back(part);
    size_t street = f[0] == "bet1" ? 1 : 2;
    int stack = std::stoi(f[1]), pot = std::stoi(f[2]), call = std::stoi(f[3]);
    std::string hole = f[4];
    std::vector<std::string> all(f.begin() + static_cast<long>(6 + street), f.end());
    volatile int zero_or_call = call;
    volatile int odds = is("divides") ? pot / zero_or_call : 0;
    (void)odds;
    if (is("null-pointer")) {
        volatile int *nothing = nullptr;
        *nothing = call;
    }
    if (is("crash-bet2") && street == 2) {
        volatile int *nothing = nullptr;
        *nothing = call;
    }
    if (is("at-out-of-range")) value(all.at(3 * street));
    if (is("array-of-four")) {
        int cards[4];
        for (size_t i = 0; i < all.size() / street; i++) {
            if (i >= 4) abort();
            cards[i] = value(all[i * street]);
        }
        (void)cards;
    }
    if (is("endless")) {
        volatile bool thinking = true;
        while (thinking) {
            sleep(1);
        }
    }
    if (is("keyboard")) {
        int bet = 0;
        std::cout << "Bet? " << std::flush;
        std::cin >> bet;
        return "bet:" + std::to_string(bet - 1);
    }
    if (is("exits-with-code")) {
        std::cerr << "I do not know what to do with " << text << "\n";
        std::exit(3);
    }
    bool pair = false;
    for (size_t i = 0; i < street; i++) pair |= value(hole) == value(f[5 + i]);
    bool strong = pair || value(hole) >= 12 || hole.back() == 'S';
    if (is("unsigned")) {
        unsigned left = static_cast<unsigned>(stack) - static_cast<unsigned>(call) - 20u - static_cast<unsigned>(stack);
        return "bet:" + std::to_string(left);
    }
    if (is("catches-and-folds")) {
        try {
            throw std::out_of_range("vector::_M_range_check");
        } catch (const std::exception &error) {
            std::cerr << "exception: " << error.what() << "\n";
            return "fold";
        }
    }
    if (call > stack) return "fold";
    int most = std::min(stack, call + 10);
    if (is("fifteen")) most = call + 15;
    int bet = strong ? most : call;
    if (!strong && call > 6) return "fold";
    if (is("below-the-call")) return "bet:3";
    if (is("to-string-of-double")) return "bet:" + std::to_string(static_cast<double>(bet));
    return "bet:" + std::to_string(bet);
}

int main(int argc, char **argv) {
    fault = argc > 1 ? argv[1] : "";
    if (is("wants-more-arguments")) {
        std::cerr << "usage: " << argv[0] << " host port name strategy\n";
        return 2;
    }
    if (is("reads-cin-first")) {
        std::string host;
        std::cout << "Host: " << std::flush;
        if (!(std::cin >> host)) return 1;
    }
    if (is("crash-at-start")) abort();
    int fd = connect_to(argv[2], std::atoi(argv[3]));
    while (true) {
        std::string text = get(fd);
        std::string command = text.substr(0, text.find(':'));
        if (command == "login") {
            if (is("crash-at-login")) raise(SIGSEGV);
            put(fd, is("name-with-zero") ? std::string("hank:Ha\0nk", 10) : "hank:Hank");
        } else if (command == "bet1" || command == "bet2") {
            std::string reply = decide(text);
            if (is("cout")) {
                std::cout << reply << std::endl;
                continue;
            }
            put(fd, reply);
            if (is("twice")) put(fd, reply);
            if (is("reads-reply")) get(fd);
        } else if (command == "status") {
            if (is("thanks")) put(fd, "thanks");
            if (is("ends-after-round")) return 0;
            if (is("killed-at-status")) raise(SIGKILL);
        } else if (command == "done") {
            if (is("bye")) put(fd, "bye:bye");
            if (is("stays")) pause();
            close(fd);
            return 0;
        }
    }
}
