import HoldfastBase
@testable import HoldfastTrust
import Testing

/// DER bytes and the expected error.
struct DERCase: CustomTestStringConvertible {
    var bytes: [UInt8]
    var fault: DERFault.Reason?
    var testDescription: String { "\(bytes.prefix(8).hexadecimal) → \(fault.map { "\($0)" } ?? "read")" }
}

@Suite("Strict DER reader")
struct DERReaderTests {
    private static func fault(_ read: () throws -> Void) -> DERFault.Reason? {
        do {
            try read()
            return nil
        } catch {
            return (error as? DERFault)?.reason
        }
    }

    static let elements: [DERCase] = [
        DERCase(bytes: [0x04, 0x00]),
        DERCase(bytes: [0x04, 0x81, 0x80] + Array(repeating: 0, count: 128)),
        DERCase(bytes: [], fault: .truncated),
        DERCase(bytes: [0x04], fault: .truncated),
        DERCase(bytes: [0x04, 0x02, 0x00], fault: .truncated),
        DERCase(bytes: [0x04, 0x82, 0x01], fault: .truncated),
        DERCase(bytes: [0x04, 0x84, 0xFF, 0xFF, 0xFF, 0xFF], fault: .truncated),
        DERCase(bytes: [0x30, 0x80, 0x00, 0x00], fault: .indefiniteLength),
        DERCase(bytes: [0x04, 0x81, 0x7F] + Array(repeating: 0, count: 127), fault: .longLengthForm),
        DERCase(bytes: [0x04, 0x82, 0x00, 0x80] + Array(repeating: 0, count: 128), fault: .longLengthForm),
        DERCase(bytes: [0x04, 0x85, 0, 0, 0, 0, 1, 0], fault: .longLengthForm),
        DERCase(bytes: [0x04, 0xFF, 0], fault: .longLengthForm),
        DERCase(bytes: [0x1F, 0x81, 0x00, 0x00], fault: .highTag),
        DERCase(bytes: [0x04, 0x00, 0x00], fault: .trailingBytes),
    ]

    @Test("reads lengths and tags", arguments: elements)
    func readsElements(test: DERCase) {
        let fault = Self.fault {
            var reader = DERReader(test.bytes)
            _ = try reader.read()
            try reader.finish()
        }
        #expect(fault == test.fault)
    }

    @Test(
        "accepts only the shortest form of integers",
        arguments: [
            DERCase(bytes: [0x02, 1, 0x00]), DERCase(bytes: [0x02, 2, 0x00, 0x80]),
            DERCase(bytes: [0x02, 2, 0xFF, 0x7F]),
            DERCase(bytes: [0x02, 0], fault: .invalidInteger),
            DERCase(bytes: [0x02, 2, 0x00, 0x7F], fault: .invalidInteger),
            DERCase(bytes: [0x02, 2, 0xFF, 0x80], fault: .invalidInteger),
            DERCase(bytes: [0x04, 1, 0], fault: .unexpectedTag),
        ])
    func integers(test: DERCase) {
        #expect(
            Self.fault {
                var reader = DERReader(test.bytes)
                _ = try reader.readInteger()
            } == test.fault)
    }

    @Test(
        "accepts only 00 and FF as booleans",
        arguments: [
            DERCase(bytes: [0x01, 1, 0x00]), DERCase(bytes: [0x01, 1, 0xFF]),
            DERCase(bytes: [0x01, 1, 0x01], fault: .invalidBoolean),
            DERCase(bytes: [0x01, 0], fault: .invalidBoolean), DERCase(bytes: [0x01, 2, 0, 0], fault: .invalidBoolean),
        ])
    func booleans(test: DERCase) {
        #expect(
            Self.fault {
                var reader = DERReader(test.bytes)
                _ = try reader.readBoolean()
            } == test.fault)
    }

    @Test(
        "checks the number and value of unused bits in bit strings",
        arguments: [
            DERCase(bytes: [0x03, 1, 0]), DERCase(bytes: [0x03, 2, 7, 0x80]),
            DERCase(bytes: [0x03, 0], fault: .invalidBitString),
            DERCase(bytes: [0x03, 1, 1], fault: .invalidBitString),
            DERCase(bytes: [0x03, 2, 8, 0], fault: .invalidBitString),
            DERCase(bytes: [0x03, 2, 7, 0xC0], fault: .invalidBitString),
        ])
    func bitStrings(test: DERCase) {
        #expect(
            Self.fault {
                var reader = DERReader(test.bytes)
                _ = try reader.readBitString()
            } == test.fault)
    }
}
