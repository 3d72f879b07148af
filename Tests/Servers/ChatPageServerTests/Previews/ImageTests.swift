import Testing

@testable import ChatPageServer

@Suite("Pictures of other servers")
struct ImageTests {
    @Test("Pictures are recognized by their first bytes, whatever their type says")
    func kinds() {
        #expect(ImageKind([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0]) == .png)
        #expect(ImageKind([0xFF, 0xD8, 0xFF, 0xE0]) == .jpeg)
        #expect(ImageKind("GIF89a...".utf8) == .gif)
        #expect(ImageKind(Array("RIFF".utf8) + [1, 2, 3, 4] + Array("WEBPVP8 ".utf8)) == .webp)
        #expect(ImageKind([0, 0, 0, 0x20] + Array("ftypavif".utf8)) == .avif)
        for other in [
            "", "GIF", "<svg xmlns='http://www.w3.org/2000/svg'/>", "<html>", "RIFF....AVI ", "%PDF-1.7",
            "\u{FEFF}<svg/>",
        ] {
            #expect(ImageKind(other.utf8) == nil, "\(other)")
        }
        #expect(ImageKind([0, 0, 0, 0x20] + Array("ftypmp42".utf8)) == nil)
    }

    private func names(_ byte: UInt8) -> ImageNames {
        ImageNames(ServerKey { [UInt8](repeating: byte, count: $0) })
    }

    @Test("Only the server can name a picture")
    func forgery() throws {
        let names = names(1)
        let url = "https://example.com/photo.png?size=2"
        let name = try #require(names.name(of: url))
        #expect(name == names.name(of: url))
        #expect(names.url(of: name) == url)
        // The code of one URL does not fit another one.
        let other = try #require(names.name(of: "https://example.com/other.png"))
        #expect(names.url(of: String(name.prefix(64) + other.dropFirst(64))) == nil)
        #expect(self.names(2).url(of: name) == nil)
        for forged in ["", "a", String(repeating: "0", count: 64), name + "6", name + "zz", String(name.dropLast(2))] {
            #expect(names.url(of: forged) == nil, "\(forged)")
        }
        #expect(names.url(of: String(repeating: "0", count: 100_000)) == nil)
    }

    @Test("URLs that may not be fetched have no name")
    func local() {
        for url in ["http://127.0.0.1/a.png", "http://169.254.169.254/", "file:///a.png", "photo.png"] {
            #expect(names(1).name(of: url) == nil)
        }
    }
}

@Suite("The cache for previews")
struct BoundedCacheTests {
    @Test("Entries expire, and the least recently used ones make room")
    func limits() {
        var cache = BoundedCache<Int>(entries: 2, size: 1_000)
        cache.store(1, for: "a", size: 1, lifetime: 100, at: 0)
        cache.store(2, for: "b", size: 1, lifetime: 100, at: 0)
        #expect(cache.value(of: "a", at: 1) == 1)
        cache.store(3, for: "c", size: 1, lifetime: 100, at: 1)
        #expect(cache.value(of: "b", at: 2) == nil)
        #expect(cache.value(of: "a", at: 99) == 1)
        #expect(cache.value(of: "a", at: 100) == nil)
        #expect(cache.count == 1)
    }

    @Test("The total size is limited, and a value beyond it is not stored")
    func size() {
        var cache = BoundedCache<Int>(entries: 100, size: 100)
        for number in 0..<50 { cache.store(number, for: "k\(number)", size: 30, lifetime: 100, at: 0) }
        #expect(cache.totalSize <= 100)
        #expect(cache.value(of: "k49", at: 1) == 49)
        cache.store(1, for: "large", size: 101, lifetime: 100, at: 1)
        #expect(cache.value(of: "large", at: 1) == nil)
        #expect(cache.value(of: "k49", at: 1) == 49)
        cache.store(2, for: "k49", size: 1, lifetime: 100, at: 1)
        #expect(cache.value(of: "k49", at: 1) == 2)
    }
}
