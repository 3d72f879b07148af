import HoldfastTestSupport
import HoldfastTrust
import SwiftASN1
import Testing

@Suite("PEM")
struct PEMReaderTests {
    private func blocks(_ text: String) throws(CertificateError) -> [PEMBlock] {
        try PEMReader.blocks(in: Array(text.utf8))
    }

    private func error(_ text: String) -> CertificateError? {
        do throws(CertificateError) {
            _ = try blocks(text)
            return nil
        } catch {
            return error
        }
    }

    @Test("reads blocks with labels, bytes and positions")
    func several() throws {
        let text = """
            # a comment, and -----BEGIN in the middle of a line
            -----BEGIN CERTIFICATE-----
            AAEC
            -----END CERTIFICATE-----

            key follows
            -----BEGIN PRIVATE KEY-----
            /+8=
            -----END PRIVATE KEY-----
            """
        let blocks = try blocks(text)
        #expect(blocks.map(\.label) == ["CERTIFICATE", "PRIVATE KEY"])
        #expect(blocks.map(\.der) == [[0, 1, 2], [0xff, 0xef]])
        #expect(blocks.map(\.line) == [2, 7])
        #expect(blocks[0].offset == text.utf8.count - text.drop { $0 != "\n" }.utf8.count + 1)
        #expect(blocks.map(\.isCertificate) == [true, false])
        #expect(blocks.map(\.isPrivateKey) == [false, true])
    }

    @Test(
        "accepts all line endings, white space, a byte order mark, and long and short lines",
        arguments: [
            "-----BEGIN X-----\r\nAAEC\r\n-----END X-----\r\n",
            "-----BEGIN X-----\rAAEC\r-----END X-----\r",
            "\u{feff}-----BEGIN X-----\nAAEC\n-----END X-----",
            "  -----BEGIN X-----  \n\tAAEC \n  -----END X-----\t",
            "-----BEGIN X-----\n\nA\nAE\nC\n\n-----END X-----",
        ])
    func layout(text: String) throws {
        let read = try blocks(text)
        #expect(read.map(\.label) == ["X"])
        #expect(read.map(\.der) == [[0, 1, 2]])
    }

    @Test("reads the three lengths of the last group")
    func padding() throws {
        #expect(try blocks("-----BEGIN X-----\nAQ==\n-----END X-----").first?.der == [1])
        #expect(try blocks("-----BEGIN X-----\nAQI=\n-----END X-----").first?.der == [1, 2])
        #expect(try blocks("-----BEGIN X-----\nAQID\n-----END X-----").first?.der == [1, 2, 3])
    }

    @Test(
        "text without a block",
        arguments: ["", "\n", "hello", "-----END X-----", "----BEGIN X-----\nAAEC\n-----END X-----"])
    func none(text: String) throws {
        #expect(try blocks(text).isEmpty)
    }

    @Test(
        "reports damage with its position",
        arguments: [
            ("-----BEGIN X-----\nAAEC", 0),
            ("-----BEGIN X-----\nAAEC\n-----END Y-----", 23),
            ("-----BEGIN X-----\nAAEC\n-----END X----", 23),
            ("-----BEGIN X----\nAAEC\n-----END X-----", 0),
            ("-----BEGIN \u{1}-----\nAAEC\n-----END \u{1}-----", 0),
            ("-----BEGIN -----\nAAEC\n-----END -----", 0),
            ("-----BEGIN X-----\n-----END X-----", 18),
            ("-----BEGIN X-----\nAAE\n-----END X-----", 22),
            ("-----BEGIN X-----\nAA!C\n-----END X-----", 20),
            ("-----BEGIN X-----\nAA EC\n-----END X-----", 20),
            ("-----BEGIN X-----\nAA-_\n-----END X-----", 20),
            ("-----BEGIN X-----\nAAé=\n-----END X-----", 20),
            ("-----BEGIN X-----\nAQ==AQ==\n-----END X-----", 22),
            ("-----BEGIN X-----\nAQ==\nAQ==\n-----END X-----", 23),
            ("-----BEGIN X-----\nA===\n-----END X-----", 19),
            ("-----BEGIN X-----\n====\n-----END X-----", 18),
            ("-----BEGIN X-----\nAQ=Q\n-----END X-----", 21),
            ("-----BEGIN X-----\nAQ=====\n-----END X-----", 22),
            // Unused bits must be zero, so that two texts cannot stand for the same bytes.
            ("-----BEGIN X-----\nAR==\n-----END X-----", 21),
            ("-----BEGIN X-----\nAQJ=\n-----END X-----", 21),
            ("-----BEGIN X-----\nProc-Type: 4,ENCRYPTED\nAAEC\n-----END X-----", 22),
            ("-----BEGIN X-----\nAAEC\n-----BEGIN X-----\nAAEC\n-----END X-----", 0),
        ])
    func damaged(text: String, offset: Int) {
        let error = error(text)
        #expect(error?.code == .malformedPEM)
        #expect(error?.offset == offset)
        #expect(error?.reason.hasPrefix("Line ") == true)
    }

    @Test("reads the next block after a damaged one")
    func resumption() throws {
        let good = "-----BEGIN X-----\nAAEC\n-----END X-----\n"
        let bad = "-----BEGIN X-----\nA!EC\n-----END X-----\n"
        let open = "-----BEGIN X-----\nAAEC\n"
        var reader = PEMReader(Array((bad + good + open + good).utf8))
        var results: [Result<PEMBlock, CertificateError>] = []
        while let result = reader.next() { results.append(result) }
        #expect(results.map { (try? $0.get())?.line } == [nil, 4, nil, 9])
    }

    @Test("reports a header as such")
    func header() {
        let text = "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nAAEC\n-----END RSA PRIVATE KEY-----"
        #expect(error(text)?.reason.contains("encrypted") == true)
    }

    @Test("limits")
    func limits() {
        let huge = [UInt8](repeating: UInt8(ascii: "\n"), count: PEMReader.sizeLimit + 1)
        var reader = PEMReader(huge)
        #expect(reader.next()?.error?.code == .tooLarge)
        #expect(reader.next() == nil)

        let long = "-----BEGIN X-----\n" + String(repeating: "AAAA", count: PEMReader.blockSizeLimit / 3 + 1)
        #expect(error(long + "\n-----END X-----")?.code == .tooLarge)

        let many = String(repeating: "-----BEGIN X-----\nAA==\n-----END X-----\n", count: PEMReader.countLimit)
        #expect((try? blocks(many))?.count == PEMReader.countLimit)
        #expect(error(many + "-----BEGIN X-----\nAA==\n-----END X-----\n")?.code == .tooLarge)
    }

    @Test("reads the output of swift-asn1 for bytes of every length", arguments: 1...100)
    func foreign(length: Int) throws {
        var random = SeededGenerator(seed: UInt64(length))
        let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
        let text = PEMDocument(type: "X", derBytes: bytes).pemString
        #expect(try blocks(text).map(\.der) == [bytes])
    }

    @Test("random damage never traps, and never changes the bytes without an error", arguments: [1, 2] as [UInt64])
    func fuzz(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let bytes = (0..<90).map { _ in UInt8.random(in: 0...255, using: &random) }
        let text = Array(PEMDocument(type: "X", derBytes: bytes).pemString.utf8)
        for _ in 0..<2_000 {
            var damaged = text
            let place = Int.random(in: 0..<text.count, using: &random)
            damaged[place] = [0, 9, 10, 13, 32, 45, 58, 61, 128, 255].randomElement(using: &random) ?? 0
            let read = (try? PEMReader.blocks(in: damaged)) ?? []
            // White space at the ends of lines and labels may change, but the contents may not.
            #expect(read.isEmpty || read.map(\.der) == [bytes])
        }
    }
}

extension Result {
    fileprivate var error: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
