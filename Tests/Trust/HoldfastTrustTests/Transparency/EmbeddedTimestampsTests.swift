import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

/// The list of timestamps in a certificate: valid, malformed and oversized.
@Suite("Embedded certificate timestamps") struct EmbeddedTimestampsTests {
    private static func timestamp(version: UInt8 = 0, signature: Int = 8, extensions: [UInt8] = []) -> [UInt8] {
        [version] + Array(repeating: 7, count: 32) + [0, 0, 0, 0, 0, 0, 4, 1] + TestLog.vector(extensions, 2) + [4, 3]
            + TestLog.vector(Array(repeating: 1, count: signature), 2)
    }

    private static func list(_ items: [[UInt8]]) -> [UInt8] {
        TestLog.vector(items.flatMap { TestLog.vector($0, 2) }, 2)
    }

    @Test func readsEveryField() throws {
        let list = try EmbeddedTimestamps(list: Self.list([Self.timestamp(extensions: [1, 2, 3]), Self.timestamp()]))
        #expect(list.timestamps.count == 2)
        #expect(list.unknownVersions == 0)
        let first = try #require(list.timestamps.first)
        #expect(first.logID.bytes == Array(repeating: 7, count: 32))
        #expect(first.milliseconds == 1_025)
        #expect(first.timestamp == Timestamp(secondsSince1970: 1))
        #expect(first.extensions == [1, 2, 3])
        #expect(first.algorithm == .ecdsa)
        #expect(first.signature.count == 8)
    }

    @Test func aCertificateWithoutTheExtensionHasNoTimestamps() throws {
        #expect(try EmbeddedTimestamps(CertificateFactory().authority("Root").view) == nil)
    }

    @Test func laterVersionsAreSkipped() throws {
        let list = try EmbeddedTimestamps(list: Self.list([[1], Self.timestamp(), [255, 0, 0]]))
        #expect(list.timestamps.count == 1)
        #expect(list.unknownVersions == 2)
    }

    @Test func theLargestTimeIsFarInTheFuture() throws {
        var bytes = Self.timestamp()
        for index in 33..<41 { bytes[index] = 255 }
        let list = try EmbeddedTimestamps(list: Self.list([bytes]))
        #expect(list.timestamps.first?.milliseconds == .max)
        #expect(list.timestamps.first.map { $0.timestamp > Timestamp(secondsSince1970: 253_402_300_799) } == true)
    }

    static let malformed: [[UInt8]] = [
        [], [0], [0, 0], [0, 1], [0, 2, 0, 0], [0, 3, 0, 2, 0], [0, 1, 0],
        list([timestamp()]) + [0], list([timestamp() + [0]]), list([Array(timestamp().dropLast())]),
        list([[0]]), list([[0] + Array(repeating: 7, count: 31)]), list([timestamp(), []]),
        Array(list([timestamp()]).dropLast()),
    ]

    @Test(arguments: malformed) func malformedListsAreRefused(_ bytes: [UInt8]) {
        let error = #expect(throws: SCTListError.self) { try EmbeddedTimestamps(list: bytes) }
        #expect(error?.code == .malformed)
        #expect(error?.reason.isEmpty == false)
    }

    @Test func everyTruncationIsRefused() {
        let bytes = Self.list([Self.timestamp(), Self.timestamp(extensions: [1])])
        for count in 0..<bytes.count {
            #expect(throws: SCTListError.self) { try EmbeddedTimestamps(list: bytes.prefix(count)) }
        }
    }

    @Test func limitsHaveTheirOwnErrors() throws {
        let most = Array(repeating: Self.timestamp(), count: EmbeddedTimestamps.maximumCount)
        #expect(try EmbeddedTimestamps(list: Self.list(most)).timestamps.count == most.count)
        let many = #expect(throws: SCTListError.self) { try EmbeddedTimestamps(list: Self.list(most + [[1]])) }
        #expect(many?.code == .tooMany)
        let large = #expect(throws: SCTListError.self) {
            try EmbeddedTimestamps(list: Self.list([Self.timestamp(signature: EmbeddedTimestamps.maximumSize)]))
        }
        #expect(large?.code == .tooLarge)
    }

    @Test func theExtensionMustContainOneOctetString() throws {
        for value: [UInt8] in [[], [0x05, 0x00], [0x04, 0x02, 0x00], DERBytes.octetString([0, 0]) + [0]] {
            let leaf = try CertificateFactory().leaf(
                ["a.example.com"], signedBy: nil,
                .with { $0.extraExtensions = [ExtraExtension("1.3.6.1.4.1.11129.2.4.2", value: value)] })
            #expect(throws: SCTListError.self) { try EmbeddedTimestamps(leaf.view) }
        }
    }
}
