import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

/// Compares the lookup of names in many subtrees with a comparison one by one.
@Suite("Subtree index")
struct SubtreeIndexTests {
    private static let domains = [
        "test", "a.test", "b.a.test", "c.b.a.test", "ab.test", "xa.test", "A.Test", "org", "a.org", "b.a.org", "1.test",
        "a-b.test", "a_b.test", "a.testa", "b-a.test",
    ]
    private static let odd = [
        "", ".", "a..test", ".a.test", "a.test.", "a b.test", "10.0.0.1", String(repeating: "x", count: 64) + ".test",
    ]

    private static func pick<Element>(_ list: [Element], _ random: inout SeededGenerator) -> Element {
        list[Int.random(in: 0..<list.count, using: &random)]
    }

    private static func host(_ random: inout SeededGenerator) -> String {
        Int.random(in: 0..<8, using: &random) == 0 ? pick(odd, &random) : pick(domains, &random)
    }

    private static func name(_ random: inout SeededGenerator) -> NaiveSubtrees.Item {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: .dns("*." + host(&random))
        case 1, 2: .dns(host(&random))
        case 3: .email(pick(["u@", "U@", "v@", "@", "", "a@b@"], &random) + host(&random))
        case 4:
            .uri(
                pick(["https://", "x://u:p@", "urn:", "//", "a://b://"], &random) + host(&random)
                    + pick(["", "/p@q", ":80", "?@"], &random))
        default:
            .address(pick([[10, 0, 0, 1], [10, 1, 0, 1], [11, 0, 0, 0], Array(repeating: 7, count: 16)], &random))
        }
    }

    private static func base(_ random: inout SeededGenerator) -> NaiveSubtrees.Item {
        let domain = pick(["", ".", ".", "", ""], &random) + pick(domains, &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0, 1: return .dns(Int.random(in: 0..<20, using: &random) == 0 ? "" : domain)
        case 2: return .email(pick(["", "", "u@", "@"], &random) + pick([domain, domain, "", "."], &random))
        case 3: return .uri(pick([domain, domain, domain, "", ".", "a@b"], &random))
        default:
            let ones = Int.random(in: 0...4, using: &random)
            let mask = Array(repeating: UInt8(255), count: ones) + Array(repeating: 0, count: 4 - ones)
            return .address(pick([[10, 0, 0, 1], [10, 9, 9, 9], [11, 0, 0, 0]], &random) + mask)
        }
    }

    /// Returns the items as consecutive bytes, as in a certificate.
    private static func laidOut(_ items: [NaiveSubtrees.Item]) -> (names: [GeneralName], bytes: [UInt8]) {
        var bytes: [UInt8] = []
        let names = items.map { item -> GeneralName in
            let start = bytes.count
            bytes += item.bytes
            let range = start..<bytes.count
            return switch item {
            case .dns: .dns(range)
            case .email: .email(range)
            case .uri: .uri(range)
            case .address: .ipAddress(range)
            }
        }
        return (names, bytes)
    }

    @Test("agrees with a comparison one by one", arguments: 0..<20)
    func agreement(block: Int) throws {
        var random = SeededGenerator(seed: UInt64(block))
        var seen: Set<SubtreeIndex.Relation> = []
        for _ in 0..<100 {
            let bases = (0..<Int.random(in: 0...8, using: &random)).map { _ in Self.base(&random) }
            let (subtrees, der) = Self.laidOut(bases)
            let index = SubtreeIndex(subtrees, in: der)
            let naive = NaiveSubtrees(bases: bases)
            for _ in 0..<10 {
                let item = Self.name(&random)
                let (names, bytes) = Self.laidOut([item])
                let name = ConstrainedName(try #require(names.first), in: bytes)
                let answer = index.relation(of: name)
                seen.insert(answer)
                #expect(answer == naive.relation(of: item), "\(item) against \(bases)")
            }
        }
        #expect(seen.count == 4)
    }

    @Test("a wildcard matches one label and needs two labels after it; other names match only the same host")
    func hosts() {
        func matches(_ presented: String, _ host: String) -> Bool {
            let bytes = Array("..\(presented)..".utf8)
            return DNSName.matches(presented: bytes, in: 2..<bytes.count - 2, host: Array(host.utf8))
        }
        for domain in Self.domains.map({ $0.lowercased() }) {
            #expect(matches(domain, domain))
            #expect(matches(domain.uppercased(), domain))
            #expect(!matches(domain, "x" + domain))
            #expect(!matches("x" + domain, domain))
            #expect(!matches("*.", domain))
            #expect(!matches("*", domain))
            #expect(!matches("*." + domain, domain))
            #expect(matches("*." + domain, "w." + domain) == domain.contains("."))
            #expect(!matches("*." + domain, "v.w." + domain))
            #expect(!matches("*." + domain, "." + domain))
            #expect(!matches("w*." + domain, "ww." + domain))
        }
        #expect(!matches("", "a.test"))
        #expect(!matches("a..test", "a..test"))
    }
}
