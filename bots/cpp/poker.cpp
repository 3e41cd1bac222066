// The wire: connects to the dealer, reads its commands and writes the replies.
//
// Nothing here needs editing. How to play is in strategy.cpp.

#include "question.hpp"
#include "strategy.hpp"
#include "system.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <iostream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <thread>

namespace {

constexpr std::size_t LONGEST_FRAME = 0xFFFF;

// The seconds in which we try to come back after a game, or when the connection is lost.
constexpr int PATIENCE = 600;

// The seconds between two tries grow up to this.
constexpr int LONGEST_PAUSE = 15;

// Text is kept here as the dealer sends it, in modified UTF-8, and this says whether it is that. It differs from
// plain UTF-8 in U+0000, which takes two bytes, and in characters above U+FFFF, which are two surrogates of three.
bool is_modified_utf8(const std::string& text) {
    for (std::size_t i = 0; i < text.size();) {
        const auto first = static_cast<unsigned char>(text[i++]);
        int more = first < 0x80 ? 0 : first >> 5 == 0b110 ? 1 : first >> 4 == 0b1110 ? 2 : -1;
        if (more < 0) {
            return false;
        }
        for (; more > 0; more--) {
            if (i == text.size() || static_cast<unsigned char>(text[i++]) >> 6 != 0b10) {
                return false;
            }
        }
    }
    return true;
}

// From plain UTF-8, the encoding of the names here.
std::string to_modified_utf8(const std::string& text) {
    std::string modified;
    const auto put = [&](unsigned unit) {
        modified += static_cast<char>(0xE0 | unit >> 12);
        modified += static_cast<char>(0x80 | (unit >> 6 & 0x3F));
        modified += static_cast<char>(0x80 | (unit & 0x3F));
    };
    for (std::size_t i = 0; i < text.size(); i++) {
        const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
        if (byte(i) >> 3 == 0b11110 && i + 3 < text.size()) {
            const unsigned code = (byte(i) & 7u) << 18 | (byte(i + 1) & 0x3Fu) << 12 | (byte(i + 2) & 0x3Fu) << 6 |
                                  (byte(i + 3) & 0x3Fu);
            put(0xD800 + ((code - 0x10000) >> 10));
            put(0xDC00 + ((code - 0x10000) & 0x3FF));
            i += 3;
        } else {
            modified += text[i];
        }
    }
    if (!is_modified_utf8(modified)) {
        throw std::invalid_argument("it is not written in UTF-8");
    }
    return modified;
}

// The dealer hung up without a word.
struct HungUp {};

// The dealer sent bytes that are no text.
struct NoText {};

// The connection: frames of a two-byte length and that many bytes of text.
class Dealer {
public:
    explicit Dealer(Socket socket) : socket_(socket) {
        const int yes = 1;
        setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, reinterpret_cast<const char*>(&yes), sizeof yes);
    }
    Dealer(const Dealer&) = delete;
    Dealer& operator=(const Dealer&) = delete;
    ~Dealer() { close_socket(socket_); }

    bool has_asked = false; // whether it has asked for a bet

    std::string read() {
        unsigned char length[2];
        read_exactly(reinterpret_cast<char*>(length), 2);
        std::string text(static_cast<std::size_t>(length[0]) << 8 | length[1], '\0');
        read_exactly(&text[0], text.size());
        if (!is_modified_utf8(text)) {
            throw NoText();
        }
        return text;
    }

    // If this fails the dealer has hung up, but why it did may still wait to be read: the next read will tell.
    void write(const std::string& text) {
        std::string frame{static_cast<char>(text.size() >> 8), static_cast<char>(text.size() & 0xFF)};
        frame += text;
        for (std::size_t done = 0; done < frame.size();) {
            const auto sent = send(socket_, frame.data() + done, frame.size() - done, QUIETLY);
            if (sent > 0) {
                done += static_cast<std::size_t>(sent);
            } else if (last_error() != INTERRUPTED) {
                return;
            }
        }
    }

private:
    void read_exactly(char* to, std::size_t count) {
        while (count > 0) {
            if (begin_ == end_) {
                const auto got = recv(socket_, buffer_, sizeof buffer_, 0);
                if (got < 0 && last_error() == INTERRUPTED) {
                    continue;
                }
                if (got <= 0) {
                    throw HungUp();
                }
                begin_ = 0;
                end_ = static_cast<std::size_t>(got);
            }
            const std::size_t part = std::min(count, end_ - begin_);
            std::memcpy(to, buffer_ + begin_, part);
            begin_ += part;
            to += part;
            count -= part;
        }
    }

    Socket socket_;
    char buffer_[8192];
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
};

// Our reply to a question. A question or a strategy that fails costs the round, not the game.
std::string answer(Strategy& strategy, const std::string& text) {
    std::optional<Question> question;
    try {
        question = Question::parse(text);
    } catch (const std::invalid_argument&) {
        std::cerr << "Cannot read this question, so I fold: " << text << std::endl;
        return "fold";
    }
    try {
        return strategy.decide(*question).text();
    } catch (const std::exception& failure) {
        std::cerr << failure.what() << "\nThe strategy failed, so I fold: " << text << std::endl;
        return "fold";
    }
}

// Hands "status:win or lose:card:card:card" to the strategy. Dealers leave fields out at times.
void tell_status(Strategy& strategy, const std::string& text) {
    const std::vector<std::string> fields = wire::split(text);
    try {
        strategy.round_over(fields.size() > 1 && fields[1] == "win", wire::cards(fields, 2, fields.size()));
    } catch (const std::exception& failure) {
        std::cerr << failure.what() << std::endl;
    }
}

// Answers the dealer until it says "done", and returns its reason.
std::string play(Dealer& dealer, const std::string& name, Strategy& strategy) {
    while (true) {
        const std::string text = dealer.read();
        const std::size_t colon = text.find(':');
        const std::string command = text.substr(0, colon);
        if (command == "login") {
            dealer.write(name);
        } else if (command == "bet1" || command == "bet2") {
            dealer.has_asked = true;
            dealer.write(answer(strategy, text));
        } else if (command == "status") {
            tell_status(strategy, text);
        } else if (command == "done") {
            return colon == std::string::npos ? "" : text.substr(colon + 1);
        } // a command we do not know is not for us
    }
}

std::string from_environment(const std::string& variable, const std::string& otherwise) {
    const std::string value = environment(variable);
    return value.empty() ? otherwise : value;
}

// "GitHubId:avatar", from the environment or from strategy.hpp.
std::string login_name() {
    const std::string id = from_environment("CASINO_ID", GITHUB_ID);
    const std::string avatar = from_environment("CASINO_AVATAR", AVATAR);
    for (const std::string& part : {id, avatar}) {
        if (part.empty() || part.find(':') != std::string::npos) {
            throw std::invalid_argument("the GitHubId and the avatar must not be empty and must not contain a colon");
        }
    }
    const std::string name = to_modified_utf8(id + ":" + avatar);
    if (name.size() > LONGEST_FRAME) {
        throw std::invalid_argument("it is too long");
    }
    return name;
}

// A socket, or NO_SOCKET after having said why there is none, unless that is nothing new.
Socket connect_to(const std::string& host, const std::string& port, bool quietly = false) {
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* addresses = nullptr;
    if (getaddrinfo(host.c_str(), port.c_str(), &hints, &addresses) != 0) {
        if (!quietly) {
            std::cerr << "There is no host called " << host << "." << std::endl;
        }
        return NO_SOCKET;
    }
    Socket connected = NO_SOCKET;
    int why = 0;
    for (const addrinfo* address = addresses; address != nullptr; address = address->ai_next) {
        const Socket one = socket(address->ai_family, address->ai_socktype, address->ai_protocol);
        if (one != NO_SOCKET && connect(one, address->ai_addr, address->ai_addrlen) == 0) {
            connected = one;
            break;
        }
        why = last_error();
        if (one != NO_SOCKET) {
            close_socket(one);
        }
    }
    freeaddrinfo(addresses);
    if (connected != NO_SOCKET || quietly) {
        return connected;
    }
    if (why == REFUSED) {
        std::cerr << "Nobody answers at " << host << " port " << port << ". Is the dealer running there?" << std::endl;
    } else {
        std::cerr << "Cannot connect to " << host << " port " << port << ": " << error_words(why) << "." << std::endl;
    }
    return connected;
}

// Tries to connect: a dealer that died may be started again, and one that said "done" may begin another game. Adds to
// the seconds of our patience that are used up; NO_SOCKET if all are.
Socket come_back(const std::string& host, const std::string& port, int& waited) {
    std::cerr << "I try to come back for " << PATIENCE - waited << " seconds. Ctrl-C ends that." << std::endl;
    while (waited < PATIENCE) {
        const int pause = std::min(waited + 1, LONGEST_PAUSE);
        std::this_thread::sleep_for(std::chrono::seconds(pause));
        waited += pause;
        const Socket socket = connect_to(host, port, true);
        if (socket != NO_SOCKET) {
            std::cerr << "The dealer is back." << std::endl;
            return socket;
        }
    }
    std::cerr << "The dealer did not come back." << std::endl;
    return NO_SOCKET;
}

bool is_port(const std::string& text) {
    const bool digits = std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
    return digits && !text.empty() && text.size() <= 5 && std::stoi(text) >= 1 && std::stoi(text) <= 65535;
}

} // namespace

int main(int count, char** arguments) {
    bool again = false;
    // A program that was started for one game must end after it.
    bool once = !environment("CASINO_ONCE").empty();
    std::string key;
    int read = 3;
    for (; read < count; read++) {
        const std::string word = arguments[read];
        if (word == "--again") {
            again = true;
        } else if (word == "--once") {
            once = true;
        } else if (word == "--key" && read + 1 < count) {
            key = "#" + std::string(arguments[++read]);
        } else {
            break;
        }
    }
    if (count < 3 || read < count || !is_port(arguments[2])) {
        std::cerr << "usage: poker HOST PORT [--once] [--key KEY]" << std::endl;
        return 2;
    }
    set_up();
    const std::string host = arguments[1];
    const std::string port = arguments[2];
    std::string name;
    try {
        name = login_name();
    } catch (const std::invalid_argument& error) {
        std::cerr << "Cannot use this name: " << error.what() << "." << std::endl;
        return 2;
    }
    Socket socket = connect_to(host, port);
    if (socket == NO_SOCKET) {
        return 1;
    }
    std::cout << "Connected to " << host << " port " << port << " as " << name << std::endl;
    auto strategy = std::make_unique<Strategy>();
    int code = 1;
    for (int waited = 0; socket != NO_SOCKET; socket = come_back(host, port, waited)) {
        Dealer dealer(socket);
        code = 1;
        try {
            std::cout << "done: " << play(dealer, name + key, *strategy) << std::endl;
            if (once && !again) {
                return 0;
            }
            code = 0;
            strategy = std::make_unique<Strategy>();
        } catch (const HungUp&) {
            std::cerr << "The dealer closed the connection without saying why." << std::endl;
        } catch (const NoText&) {
            std::cerr << "The dealer sent a frame that is not modified UTF-8." << std::endl;
            return 1;
        }
        if (dealer.has_asked) {
            waited = 0;
        }
    }
    return code;
}
