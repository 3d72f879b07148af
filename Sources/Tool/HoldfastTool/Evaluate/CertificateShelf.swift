import HoldfastTrust

/// Certificates that were read before, by their PEM text. Test vectors repeat their roots thousands of times.
///
/// Bounded: a full shelf is emptied, so that a long run of different certificates costs what it would without.
struct CertificateShelf {
    private var certificates: [String: [CertificateView]] = [:]
    private var anchors: [[String]: TrustAnchors] = [:]
    private static let capacity = 4_096

    /// The certificates in a PEM text. Throws one sentence about the text, without its name.
    mutating func certificates(in text: String) throws(CaseError) -> [CertificateView] {
        if let known = certificates[text] { return known }
        let read = try PEMText.certificates(in: text)
        if certificates.count >= CertificateShelf.capacity { certificates.removeAll(keepingCapacity: true) }
        certificates[text] = read
        return read
    }

    /// All certificates of a list. The sentence of an error names the element.
    mutating func certificates(in texts: [String], named name: String) throws(CaseError) -> [CertificateView] {
        var all: [CertificateView] = []
        for (index, text) in texts.enumerated() {
            do throws(CaseError) {
                all += try certificates(in: text)
            } catch {
                throw CaseError("\(name)[\(index)] \(error.sentence)")
            }
        }
        return all
    }

    /// What a server presents: text that is no certificate counts as an unreadable one, so this never fails.
    mutating func presented(_ texts: [String]) -> PresentedChain {
        var views: [CertificateView] = []
        for text in texts {
            guard let read = try? certificates(in: text) else {
                return PresentedChain(der: texts.flatMap(PEMText.presented))
            }
            views += read
        }
        return PresentedChain(views)
    }

    /// Anchors, indexed once for each list of texts.
    mutating func anchors(_ texts: [String]) throws(CaseError) -> TrustAnchors {
        if let known = anchors[texts] { return known }
        let made = TrustAnchors.only(try certificates(in: texts, named: "anchors"))
        if anchors.count >= CertificateShelf.capacity { anchors.removeAll(keepingCapacity: true) }
        anchors[texts] = made
        return made
    }
}

/// Certificates in PEM text.
enum PEMText {
    /// The certificates of a text, at least one, in order. Throws one sentence about the text, without its name.
    static func certificates(in text: String) throws(CaseError) -> [CertificateView] {
        let bytes = Array(text.utf8)
        guard PEMReader.isPEM(bytes) else { throw CaseError("is not PEM") }
        do throws(CertificateError) {
            return try CertificateLoading.certificates(in: bytes)
        } catch {
            throw CaseError("cannot be read: \(error.reason)")
        }
    }

    /// The bytes of what a server sent: of each block of the text, or of the text itself if it has none.
    static func presented(_ text: String) -> [[UInt8]] {
        let bytes = Array(text.utf8)
        guard let blocks = try? PEMReader.blocks(in: bytes), !blocks.isEmpty else { return [bytes] }
        return blocks.map(\.der)
    }
}
