// What Windows calls otherwise than Linux and macOS do. Nothing here needs editing, nor reading before you play.
#pragma once

#include <cstdlib>
#include <string>
#include <system_error>

#ifdef _WIN32

#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <winsock2.h>
#include <ws2tcpip.h>

#include <filesystem>

using Socket = SOCKET;
constexpr Socket NO_SOCKET = INVALID_SOCKET;
constexpr int INTERRUPTED = WSAEINTR;
constexpr int REFUSED = WSAECONNREFUSED;
constexpr int QUIETLY = 0; // no signal is sent here to who writes to a socket that is closed

inline int last_error() { return WSAGetLastError(); }
inline void close_socket(Socket socket) { closesocket(socket); }

// Before the first socket, and before the first words: they are UTF-8.
inline void set_up() {
    WSADATA details;
    WSAStartup(MAKEWORD(2, 2), &details);
    SetConsoleOutputCP(CP_UTF8);
}

// A variable of the environment in UTF-8, or nothing.
inline std::string environment(const std::string& variable) {
    const wchar_t* value = _wgetenv(std::wstring(variable.begin(), variable.end()).c_str());
    return value == nullptr ? "" : std::filesystem::path(value).u8string();
}

#else

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

using Socket = int;
constexpr Socket NO_SOCKET = -1;
constexpr int INTERRUPTED = EINTR;
constexpr int REFUSED = ECONNREFUSED;
constexpr int QUIETLY = MSG_NOSIGNAL;

inline int last_error() { return errno; }
inline void close_socket(Socket socket) { close(socket); }
inline void set_up() {}

inline std::string environment(const std::string& variable) {
    const char* value = std::getenv(variable.c_str());
    return value == nullptr ? "" : value;
}

#endif

inline std::string error_words(int error) { return std::system_category().message(error); }
