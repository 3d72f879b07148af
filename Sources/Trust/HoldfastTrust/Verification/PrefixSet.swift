/// Subtrees by their keys: ASCII texts made so that one subtree lies in another if and only if its key begins with the
/// other's.
///
/// Whether a key begins with one of thousands is one binary search: of two keys of which one begins with the other only
/// the shorter is kept, and among such keys the greatest that is not greater than the one looked for is the only one
/// that it can begin with.
struct PrefixSet {
    private var keys: [String] = []

    init(_ unordered: [String]) {
        for key in unordered.sorted() {
            if let last = keys.last, key.hasPrefix(last) { continue }
            keys.append(key)
        }
    }

    /// Whether `key` is one of the set or goes on from one.
    func covers(_ key: String) -> Bool {
        let index = firstIndex { $0 > key }
        return index > 0 && key.hasPrefix(keys[index - 1])
    }

    /// Whether `key` goes on from one of the set.
    func coversBelow(_ key: String) -> Bool {
        let index = firstIndex { $0 >= key }
        return index > 0 && key.hasPrefix(keys[index - 1])
    }

    /// The place of the first key that fulfils a condition which, once fulfilled, stays so.
    private func firstIndex(where isBeyond: (String) -> Bool) -> Int {
        var (low, high) = (0, keys.count)
        while low < high {
            let middle = (low + high) / 2
            if isBeyond(keys[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
