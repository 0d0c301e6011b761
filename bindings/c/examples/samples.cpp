// Shows the C++ wrapper: samples-cpp FOLDER, the folder with the samples of worldview.
#include "worldview.hpp"

#include <fstream>
#include <iostream>
#include <iterator>
#include <thread>

// The checks are the test.
#undef NDEBUG
#include <cassert>

using namespace worldview;

int main(int argc, char **argv) {
    const std::string samples = argc > 1 ? argv[1] : "samples";

    // A level: every object of the plane on which the game is played.
    const File level(samples + "/harbour.wwd");
    const auto header = get<WvLevel>(wv_level, level);
    std::cout << text(header.fields.name) << "\n";
    for (const WvObject &object : level.objects(header.main_plane)) {
        if (text(object.logic) == "CaptainClaw") std::cout << "start at " << object.fields.x << ", " << object.fields.y << "\n";
    }
    const auto plane = get<WvPlane>(wv_plane, level, header.main_plane);
    assert(plane.columns == 160 && plane.rows == 60 && level.tiles(header.main_plane).size() == 160 * 60);

    // A table: a value, and a whole column.
    const File table(samples + "/items.wdb");
    const auto field = get<size_t>(wv_field_index, table, "uPurchasePrice");
    const auto record = get<size_t>(wv_record_index, table, "apple_dried");
    const auto prices = fill<uint32_t>(get<WvTable>(wv_table, table).record_count, wv_column_u32, table, field);
    std::cout << "an apple costs " << prices.at(record) << "\n";
    assert(prices.size() == 40 && prices[record] == 6 && get<WvValue>(wv_value, table, record, field).u32_ == 6);

    // A model: the vertices of the best level of detail of each object.
    const File world(samples + "/world.wdb");
    size_t vertices = 0;
    for (size_t blob = 0; blob < get<WvDatabase>(wv_database, world).blob_count; blob++) {
        for (size_t roi = 0; roi < get<WvBlob>(wv_blob, world, blob).roi_count; roi++) {
            const Lods lods = world.lods(blob, roi);
            if (wv_lods_count(lods) == 0) continue;
            const size_t best = wv_lods_count(lods) - 1;
            for (size_t i = 0; i < get<WvLod>(wv_lod, lods, best).mesh_count; i++) {
                const auto mesh = get<WvMesh>(wv_mesh, lods, best, i);
                std::vector<float> positions(3 * mesh.vertex_count);
                call(wv_decode_mesh, lods, best, i, mesh.vertex_count, mesh.triangle_count, positions.data(), nullptr,
                     nullptr, nullptr);
                vertices += mesh.vertex_count;
            }
        }
    }
    std::cout << vertices << " vertices\n";
    assert(vertices > 0);

    // Errors say what and where.
    try {
        const File none(samples + "/wdbpack.bin/no_such_table");
        assert(false);
    } catch (const Error &error) {
        assert(error.info.status == WV_STATUS_NOT_FOUND);
        assert(error.file == samples + "/wdbpack.bin/no_such_table");
        std::cout << error.what() << "\n";
    }
    const auto message = [](const auto &failing) {
        try {
            failing();
        } catch (const Error &error) {
            return std::string(error.what());
        }
        return std::string();
    };
    const std::string kind = "expected a level, found a table";
    assert(message([&] { get<WvLevel>(wv_level, table); }) == samples + "/items.wdb: " + kind);

    // Members by index and by path, from an open archive.
    const File archive(samples + "/harbour.rez");
    const File directory = archive.entry("LEVEL1");
    const File member = directory.entry("WORLDS/WORLD.WWD");
    assert(member.kind() == WV_KIND_LEVEL && member.path() == samples + "/harbour.rez/LEVEL1/WORLDS/WORLD.WWD");
    const File pack(samples + "/wdbpack.bin");
    const File first = pack.entry(0), same = pack.entry(first.path().substr(pack.path().size() + 1));
    assert(first.path() == same.path() && first.json() == same.json());
    assert(message([&] { get<WvLevel>(wv_level, first); }) == first.path() + ": " + kind);
    assert(message([&] { directory.entry("NONE"); }).rfind(directory.path() + "/NONE: ", 0) == 0);

    // A file in memory. What was opened in it keeps the bytes.
    std::ifstream stream(samples + "/effects.bin", std::ios::binary);
    const std::vector<uint8_t> bytes((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
    const File inner = [&] { return File::from_bytes(bytes, "effects.bin").entry(0); }();
    assert(inner.path().rfind("effects.bin/", 0) == 0 && get<WvPart>(wv_part, inner).data.len > 0);
    assert(message([&] { File::from_bytes({1, 2, 3, 4}, "none"); }).rfind("none: ", 0) == 0);

    // Threads share a file. What is read on first use, such as the blobs of a database, is read once.
    const File shared(samples + "/world.wdb");
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; i++) {
        threads.emplace_back([&shared] {
            for (size_t blob = 0; blob < get<WvDatabase>(wv_database, shared).blob_count; blob++) {
                assert(get<WvBlob>(wv_blob, shared, blob).data.len > 0);
            }
            assert(!shared.json().empty());
        });
    }
    for (auto &thread : threads) thread.join();
    assert(shared.kind() == WV_KIND_DATABASE);
}
