// worldview for C++17: owners that free themselves, exceptions, and standard containers. worldview.h has the documentation.
#ifndef WORLDVIEW_HPP
#define WORLDVIEW_HPP

#if !(__cplusplus >= 201703L || (defined(_MSVC_LANG) && _MSVC_LANG >= 201703L))
#error "worldview.hpp needs C++17 (-std=c++17, /std:c++17)"
#endif

#include "worldview.h"

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace worldview {

/// Thrown by everything below. `what()` begins with `file`, and `info` has the part and the offset.
struct Error : std::runtime_error {
    explicit Error(const WvError &error, const std::string &of = {})
        : std::runtime_error(of.empty() ? error.message : of + ": " + error.message), info(error), file(of) {}
    WvError info;
    /// The path of the file or part, as far as it is known.
    std::string file;
};

inline std::string_view text(WvSpan span) {
    return span.len ? std::string_view(reinterpret_cast<const char *>(span.data), span.len) : std::string_view();
}

/// Something of a file, whose path errors begin with.
class Named {
public:
    explicit Named(std::string path) : path_(std::move(path)) {}
    /// The path that it was opened by, as far as it is known.
    const std::string &path() const { return path_; }

private:
    std::string path_;
};

namespace detail {

template <class T, class = void>
struct HasSize : std::false_type {};
template <class T>
struct HasSize<T, std::void_t<decltype(T::size)>> : std::true_type {};

template <class T>
std::string path_of([[maybe_unused]] const T &argument) {
    if constexpr (std::is_base_of_v<Named, T>) {
        return argument.path();
    } else {
        return {};
    }
}

} // namespace detail

/// Calls a function whose last argument is a `WvError *`, and throws if it fails.
template <class F, class... Args>
void call(F function, Args &&...args) {
    WvError error;
    if (function(args..., &error) == WV_STATUS_OK) return;
    std::string file;
    ((file = file.empty() ? detail::path_of(args) : file), ...);
    throw Error(error, file);
}

/// Calls a function with a result, and returns it: `get<WvPlane>(wv_plane, level, 0)`.
template <class T, class F, class... Args>
T get(F function, Args &&...args) {
    T out{};
    if constexpr (detail::HasSize<T>::value) out.size = sizeof out;
    call(function, std::forward<Args>(args)..., &out);
    return out;
}

/// Calls a function that fills a buffer of at most `capacity` elements: `fill<uint32_t>(n, wv_tiles, level, 0)`.
template <class T, class F, class... Args>
std::vector<T> fill(size_t capacity, F function, Args &&...args) {
    std::vector<T> all(capacity);
    if constexpr (detail::HasSize<T>::value) {
        if (capacity > 0) all[0].size = sizeof(T);
    }
    size_t count = 0;
    call(function, std::forward<Args>(args)..., all.data(), capacity, &count);
    all.resize(count);
    return all;
}

/// Owns an object of the library, and converts to a pointer to it.
template <class T, void (*Free)(T *)>
class Owned : public Named {
public:
    explicit Owned(T *object, std::string path = {}) : Named(std::move(path)), object_(object) {}
    operator T *() const { return object_.get(); }

private:
    struct Deleter {
        void operator()(T *object) const { Free(object); }
    };
    std::unique_ptr<T, Deleter> object_;
};

using Lods = Owned<WvLods, wv_lods_free>;
using Objects = Owned<WvObjects, wv_objects_free>;
using Findings = Owned<WvFindings, wv_findings_free>;
using Text = Owned<WvText, wv_text_free>;

/// An opened file, or an opened part of one. Spans are valid as long as it lives.
class File : public Owned<WvHandle, wv_free> {
public:
    using Owned::Owned;
    explicit File(const char *path, uint32_t flags = 0) : File(open(path, flags), path ? path : "") {}
    explicit File(const std::string &path, uint32_t flags = 0) : File(path.c_str(), flags) {}

    /// Opens a file in memory, which the file owns from then on. `name` decides its format where the bytes do not.
    static File from_bytes(std::vector<uint8_t> bytes, const std::string &name = {}) {
        auto owned = std::make_unique<std::vector<uint8_t>>(std::move(bytes));
        const auto release = [](void *user) { delete static_cast<std::vector<uint8_t> *>(user); };
        const uint8_t *data = owned->data();
        const size_t size = owned->size();
        WvHandle *opened = nullptr;
        WvError error;
        // It is released in any case.
        if (wv_open_borrowed(data, size, name.c_str(), nullptr, nullptr, release, owned.release(), &opened, &error) != WV_STATUS_OK) {
            throw Error(error, name);
        }
        return File(opened, name);
    }

    WvKind kind() const { return get<WvPart>(wv_part, *this).kind; }
    /// Opens an entry of an archive or directory by its index.
    File entry(size_t index) const {
        const auto entry = get<WvEntry>(wv_entry, *this, index);
        std::string whole = path() + "/" + std::string(text(entry.name));
        if (entry.extension[0]) whole += std::string(".") + entry.extension;
        return File(get<WvHandle *>(wv_open_entry, *this, index), whole);
    }
    /// Opens a part by its path from here: a member, a file or directory, or a record.
    File entry(const std::string &inside) const {
        const std::string whole = path() + "/" + inside;
        WvHandle *opened = nullptr;
        WvError error;
        if (wv_open_path(*this, inside.c_str(), &opened, &error) != WV_STATUS_OK) throw Error(error, whole);
        return File(opened, whole);
    }
    Lods lods(size_t blob, size_t index) const { return Lods(get<WvLods *>(wv_lods, *this, blob, index), path()); }

    std::string json(bool full = false) const {
        Text json(get<WvText *>(wv_json, *this, full));
        return std::string(text(wv_text(json)));
    }
    std::vector<WvObject> objects(size_t plane) const {
        Objects walk(get<WvObjects *>(wv_objects, *this, plane), path());
        return fill<WvObject>(get<WvPlane>(wv_plane, *this, plane).object_count, wv_objects_next, walk);
    }
    std::vector<uint32_t> tiles(size_t plane) const {
        return fill<uint32_t>(get<WvPlane>(wv_plane, *this, plane).tiles.len / 4, wv_tiles, *this, plane);
    }

private:
    static WvHandle *open(const char *path, uint32_t flags) {
        WvOptions options = {sizeof options, flags, 0, 0};
        WvHandle *opened = nullptr;
        WvError error;
        if (wv_open(path, &options, &opened, &error) != WV_STATUS_OK) throw Error(error, path ? path : "");
        return opened;
    }
};

} // namespace worldview

#endif // WORLDVIEW_HPP
