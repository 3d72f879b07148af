import ChatCenterCore
import Foundation
import Testing

@testable import ChatCenter

/// The rules for the location of a store, which equal those of the credential store's files.
@Suite struct StorePlaceTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Ways to tamper with the store's location.
    enum Tampering: CaseIterable {
        case rootIsLink, rootIsWritable, rootIsWritableForTheGroup, folderIsLink, folderIsWritable, folderIsFile
        case databaseIsLink, databaseIsWritable, journalIsLink, filesIsLink, filesIsWritable
    }

    private var root: URL { folder.url.appendingPathComponent("Chat") }
    private var user: UserFolder {
        UserFolder(root: root, providerUID: "provider", appMarker: "tests", clientID: "client-1")
    }

    private func setMode(_ mode: Int, _ url: URL) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.path)
    }

    /// Replaces a file or folder by a link to its copy.
    private func link(_ url: URL) throws {
        let elsewhere = folder.url.appendingPathComponent("elsewhere")
        if FileManager.default.fileExists(atPath: url.path) {
            try FileManager.default.moveItem(at: url, to: elsewhere)
        } else {
            try Data().write(to: elsewhere)
        }
        try FileManager.default.createSymbolicLink(at: url, withDestinationURL: elsewhere)
    }

    private func tamper(_ tampering: Tampering) throws {
        switch tampering {
        case .rootIsLink: try link(root)
        case .rootIsWritable: try setMode(0o777, root)
        case .rootIsWritableForTheGroup: try setMode(0o720, root)
        case .folderIsLink: try link(user.url)
        case .folderIsWritable: try setMode(0o702, user.url)
        case .folderIsFile:
            try FileManager.default.removeItem(at: user.url)
            try Data().write(to: user.url)
        case .databaseIsLink: try link(user.database)
        case .databaseIsWritable: try setMode(0o606, user.database)
        case .journalIsLink: try link(URL(fileURLWithPath: user.database.path + "-journal"))
        case .filesIsLink: try link(user.files)
        case .filesIsWritable: try setMode(0o730, user.files)
        }
    }

    private func refusal() async throws -> ChatStorageError? {
        let chat = TestChat(in: folder)
        defer { chat.shutDown() }
        do {
            try await chat.sdk.authorize(ChatUser(identifier: "client-1"))
            return nil
        } catch let error as ChatAuthorizationError {
            #expect(!chat.sdk.isAuthorized)
            return error.underlying as? ChatStorageError
        }
    }

    @Test("a location that other users can write to is refused, and nothing is deleted", arguments: Tampering.allCases)
    func refused(tampering: Tampering) async throws {
        do {
            let store = SQLiteChatStore(folder: user, errors: ErrorTable())
            try store.commit(
                StoreTransaction(user: "client-1", changes: [.saveMessage(Sample.received("m", at: 1, text: "Hello"))]))
            try user.prepareFiles()
        }
        #expect(try await refusal() == nil)
        try tamper(tampering)
        let before = try folder.contents().filter { !$0.path.hasSuffix("-shm") && !$0.path.hasSuffix("-wal") }
        let error = try await refusal()
        #expect(error?.code == .unprotected)
        #expect(error?.reason.contains(root.path) == true)
        #expect(
            try folder.contents().filter { !$0.path.hasSuffix("-shm") && !$0.path.hasSuffix("-wal") }.map(\.path)
                == before.map(\.path))
    }

    @Test(
        "a location that belongs to another user is refused",
        .enabled(if: geteuid() == 0, "only root can change the owner of a folder"))
    func foreignOwner() async throws {
        #expect(try await refusal() == nil)
        #expect(chown(root.path, 12_345, 12_345) == 0)
        let error = try await refusal()
        #expect(error?.code == .unprotected)
        #expect(error?.reason.contains("12345") == true)
    }

    @Test("a readable location is accepted, and the store's own files are closed to other users")
    func readable() async throws {
        #expect(try await refusal() == nil)
        for place in [root, user.url] { try setMode(0o755, place) }
        try setMode(0o644, user.database)
        #expect(try await refusal() == nil)
        func mode(_ url: URL) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
        }
        #expect(try mode(user.url) == 0o700)
        #expect(try mode(user.database) == 0o600)
    }

    @Test("the installation's identifier and the accepted keys are not used in such a location")
    func besides() throws {
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        let first = InstallationID.read(in: root)
        #expect(InstallationID.read(in: root) == first)
        try setMode(0o777, root)
        #expect(InstallationID.read(in: root) != first)
        #expect(try FileManager.default.contentsOfDirectory(atPath: root.path) == ["installation"])
    }
}
