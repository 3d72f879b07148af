/// Tries every path of a world. The algorithm is slow but simple.
struct PathOracle {
    /// The keys along each valid path, the leaf's first.
    private(set) var validPaths: [[Int]] = []

    init(_ world: PathWorld) {
        walk([world.leaf], world)
    }

    private mutating func walk(_ path: [PathWorld.Certificate], _ world: PathWorld) {
        guard let child = path.last else { return }
        for root in world.roots where PathOracle.links(child, root) && !PathOracle.repeats(root, path) {
            if PathOracle.isValid(path + [root]) { validPaths.append((path + [root]).map(\.subject.key)) }
            // An anchor may have issuers as well.
            walk(path + [root], world)
        }
        for issuer in world.presented where PathOracle.links(child, issuer) && !PathOracle.repeats(issuer, path) {
            walk(path + [issuer], world)
        }
    }

    private static func links(_ child: PathWorld.Certificate, _ issuer: PathWorld.Certificate) -> Bool {
        child.issuer.name == issuer.subject.name && child.signer == issuer.subject.key
    }

    /// Returns whether the same name with the same key occurs twice among the authorities of a path.
    private static func repeats(_ issuer: PathWorld.Certificate, _ path: [PathWorld.Certificate]) -> Bool {
        path.dropFirst().contains { $0.subject == issuer.subject }
    }

    private static func isValid(_ path: [PathWorld.Certificate]) -> Bool {
        for (index, certificate) in path.enumerated() {
            let isAnchor = index == path.count - 1
            for defect in certificate.defects {
                switch defect {
                // The anchor's own signature is not checked.
                case .sha1, .brokenSignature: if !isAnchor { return false }
                default: return false
                }
            }
            if let limit = certificate.pathLength {
                let below = path[..<index].dropFirst().filter { $0.subject.name != $0.issuer.name }
                if below.count > limit { return false }
            }
        }
        return true
    }

    /// Whether there is a valid path.
    var isValid: Bool { !validPaths.isEmpty }

    func hasValidPath(with key: Int) -> Bool { validPaths.contains { $0.contains(key) } }

    func hasValidPath(without key: Int) -> Bool { validPaths.contains { !$0.contains(key) } }
}
