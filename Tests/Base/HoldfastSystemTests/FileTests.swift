import HoldfastSystem
import Testing

@Suite struct DurableFileTests {
    private func replace(
        _ folder: Folder, _ name: String, mode: mode_t = 0o600, with bytes: [UInt8]
    ) throws(DurableFile.Failure) {
        let path = folder.path(name)
        try DurableFile.replace(path, temporary: path + ".new", mode: mode, flushesFolder: false, with: bytes)
    }

    @Test func replacesFileWithoutLeftovers() throws {
        let folder = try Folder()
        try replace(folder, "file", with: [1, 2, 3])
        try replace(folder, "file", with: [4])
        #expect(try RegularFile.read(folder.path("file"), limit: 10) == [4])
        #expect(folder.names == ["file"])
        #expect(folder.mode("file") == 0o600)
    }

    @Test func replacesLeftoversOfCrash() throws {
        let folder = try Folder()
        try folder.write([9, 9], "file.new")
        let descriptor = open(folder.root, O_RDONLY | O_DIRECTORY)
        defer { close(descriptor) }
        try DurableFile.replace("file", temporary: "file.new", in: descriptor, flushesFolder: true, with: [1])
        #expect(try RegularFile.read(folder.path("file"), limit: 1) == [1])
        #expect(folder.names == ["file"])
    }

    @Test func sharedModeIgnoresMask() throws {
        let folder = try Folder()
        try replace(folder, "file", mode: 0o666, with: [])
        #expect(folder.mode("file") == 0o666)
    }

    @Test func replacesLinkWithoutFollowing() throws {
        let folder = try Folder()
        try folder.write([9], "other")
        symlink(folder.path("other"), folder.path("file"))
        try replace(folder, "file", with: [1])
        #expect(try RegularFile.read(folder.path("other"), limit: 1) == [9])
        #expect(try RegularFile.read(folder.path("file"), limit: 1) == [1])
    }

    @Test func failureNamesStepAndLeavesNoFile() throws {
        let folder = try Folder()
        mkdir(folder.path("taken"), 0o700)
        try folder.write([1], "taken/inside")
        let error = #expect(throws: DurableFile.Failure.self) {
            try replace(folder, "taken", with: [1])
        }
        #expect(error?.step == .rename)
        #expect(folder.names == ["taken"])
        #expect(throws: DurableFile.Failure.self) {
            try replace(folder, "none/file", with: [1])
        }
    }

    @Test func publishesOnlyUnderAFreeName() throws {
        let folder = try Folder()
        try folder.write([1], "first")
        try DurableFile.publish(folder.path("first"), as: folder.path("file"))
        #expect(folder.names == ["file"])
        try folder.write([2], "second")
        let error = #expect(throws: SystemError.self) {
            try DurableFile.publish(folder.path("second"), as: folder.path("file"))
        }
        #expect(error?.number == EEXIST)
        #expect(folder.names == ["file", "second"])
        #expect(try RegularFile.read(folder.path("file"), limit: 1) == [1])
        // A link without a target is a file, too.
        symlink(folder.path("nothing"), folder.path("link"))
        #expect(throws: SystemError.self) {
            try DurableFile.publish(folder.path("second"), as: folder.path("link"))
        }
        #expect(throws: SystemError.self) { try DurableFile.publish(folder.path("none"), as: folder.path("new")) }
        #expect(folder.names == ["file", "link", "second"])
    }

    @Test func createRefusesExistingFile() throws {
        let folder = try Folder()
        try DurableFile.create(folder.path("file"), mode: 0o600, with: [1])
        let error = #expect(throws: DurableFile.Failure.self) {
            try DurableFile.create(folder.path("file"), mode: 0o600, with: [2])
        }
        #expect(error?.step == .create)
        #expect(error?.error.number == EEXIST)
        #expect(try RegularFile.read(folder.path("file"), limit: 1) == [1])
    }
}

@Suite struct RegularFileTests {
    private func refusal(_ path: String, limit: Int = 4) -> RegularFile.Failure.Kind? {
        #expect(throws: RegularFile.Failure.self) { try RegularFile.read(path, limit: limit) }?.kind
    }

    @Test func readsUpToLimitAndFollowsLinks() throws {
        let folder = try Folder()
        try folder.write([1, 2, 3, 4], "file")
        symlink(folder.path("file"), folder.path("link"))
        #expect(try RegularFile.read(folder.path("file"), limit: 4) == [1, 2, 3, 4])
        #expect(try RegularFile.read(folder.path("link"), limit: 4) == [1, 2, 3, 4])
        #expect(refusal(folder.path("file"), limit: 3) == .tooLarge(limit: 3))
    }

    @Test func refusesIrregularFiles() throws {
        let folder = try Folder()
        try folder.write([], "empty")
        mkfifo(folder.path("pipe"), 0o600)
        #expect(refusal(folder.path("none")) == .missing)
        #expect(refusal(folder.path("empty") + "\0") == .missing)
        #expect(refusal(folder.path("empty")) == .empty)
        #expect(refusal(folder.path("pipe")) == .irregular)
        #expect(refusal(folder.root) == .irregular)
        #expect(refusal("/dev/zero") == .irregular)
    }

    @Test func writeAndReplacementChangeIdentity() throws {
        let folder = try Folder()
        try folder.write([1], "file")
        try folder.write([1], "other")
        let first = try #require(FileIdentity(path: folder.path("file")))
        #expect(first == FileIdentity(path: folder.path("file")))
        #expect(first.isRegularFile && !first.isDirectory)
        #expect(FileIdentity(path: folder.root)?.isDirectory == true)
        try folder.write([1, 2], "file")
        #expect(first != FileIdentity(path: folder.path("file")))
        rename(folder.path("other"), folder.path("file"))
        #expect(first != FileIdentity(path: folder.path("file")))
        #expect(FileIdentity(path: folder.path("other")) == nil)
    }
}

/// A temporary folder for the files of a test.
final class Folder {
    let root: String

    init() throws {
        var template = Array((getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp").utf8CString.dropLast())
        template += Array("/holdfast-system-XXXXXX".utf8CString)
        root = try #require(mkdtemp(&template).map { String(cString: $0) })
    }

    deinit {
        for name in names where unlink(path(name)) != 0 {
            unlink(path(name) + "/inside")
            rmdir(path(name))
        }
        rmdir(root)
    }

    func path(_ name: String) -> String { root + "/" + name }

    func write(_ bytes: [UInt8], _ name: String) throws {
        let descriptor = open(path(name), O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        defer { close(descriptor) }
        try SystemCalls.write(bytes, to: descriptor)
    }

    func mode(_ name: String) -> mode_t {
        var status = stat()
        return stat(path(name), &status) == 0 ? status.st_mode & 0o777 : 0
    }

    var names: [String] {
        guard let stream = opendir(root) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            names.append(
                withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
        }
        return names.filter { !$0.hasPrefix(".") }.sorted()
    }
}
