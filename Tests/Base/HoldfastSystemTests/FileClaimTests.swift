import HoldfastSystem
import Testing

@Suite struct FileClaimTests {
    @Test func isExclusive() throws {
        let folder = try Folder()
        let store = FileStore(folder: folder.root, name: "lock", limit: 0)
        let claim = try #require(try store.claim())
        #expect(try store.claim() == nil)
        claim.release()
        #expect(try store.claim() != nil)
    }

    /// A process that another thread starts has a copy of each open file for a moment.
    @Test func endsWhileACopyOfItsFileIsOpen() throws {
        let folder = try Folder()
        let store = FileStore(folder: folder.root, name: "lock", limit: 0)
        let claim = try #require(try store.claim())
        var (named, opened) = (stat(), stat())
        try #require(stat(folder.path("lock"), &named) == 0)
        let original = try #require(
            (0..<65_536).first {
                fstat($0, &opened) == 0 && opened.st_ino == named.st_ino && opened.st_dev == named.st_dev
            })
        let copy = dup(original)
        defer { close(copy) }
        claim.release()
        #expect(try store.claim() != nil)
    }
}
