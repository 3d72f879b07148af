import HoldfastBase
@testable import ChatCenterCore
@testable import ChatPage
import Testing

/// Tests the comparison of rows.
@Suite struct PageRowChangesTests {
    private func rows(_ ids: [Int], changed: Set<Int> = []) -> [ChatScreenMessage] {
        ids.map { id in Samples.row("\(id)") { if changed.contains(id) { $0.text = "changed" } } }
    }

    /// Applies changes as a page does.
    private func applied(_ changes: PageRowChanges, to old: [ChatScreenMessage]) -> [ChatScreenMessage]? {
        var rows = old.filter { !changes.remove.contains($0.id) }
        for put in changes.put {
            rows.removeAll { $0.id == put.row.id }
            guard let after = put.after else {
                rows.insert(put.row, at: 0)
                continue
            }
            guard let index = rows.firstIndex(where: { $0.id == after }) else { return nil }
            rows.insert(put.row, at: index + 1)
        }
        return rows
    }

    @Test func aNewRowTravelsAlone() {
        let old = rows(Array(0..<600))
        let atEnd = PageRowChanges(from: old, to: rows(Array(0..<601)))
        #expect(atEnd.put.map(\.row.id.text) == ["600"] && atEnd.put.map(\.after?.text) == ["599"])
        #expect(atEnd.remove.isEmpty)
        let atStart = PageRowChanges(from: old, to: rows([-1] + Array(0..<600)))
        #expect(atStart.put.map(\.row.id.text) == ["-1"] && atStart.put.map(\.after?.text) == [nil])
        let inside = PageRowChanges(from: old, to: rows(Array(0..<300) + [1000] + Array(300..<600)))
        #expect(inside.put.map(\.row.id.text) == ["1000"] && inside.put.map(\.after?.text) == ["299"])
    }

    @Test func changedMovedAndRemovedRows() {
        let old = rows([0, 1, 2, 3, 4, 5])
        let changed = PageRowChanges(from: old, to: rows([0, 1, 2, 3, 4, 5], changed: [2, 4]))
        #expect(changed.put.map(\.row.id.text) == ["2", "4"] && changed.put.map(\.after?.text) == ["1", "3"])
        let moved = PageRowChanges(from: old, to: rows([0, 5, 1, 2, 3, 4]))
        #expect(moved.put.map(\.row.id.text) == ["5"] && moved.put.map(\.after?.text) == ["0"])
        let removed = PageRowChanges(from: old, to: rows([0, 3, 5]))
        #expect(removed.put.isEmpty && removed.remove.map(\.text) == ["1", "2", "4"])
        #expect(PageRowChanges(from: old, to: []).remove.count == 6)
        #expect(PageRowChanges(from: old, to: old).isEmpty)
        #expect(PageRowChanges(from: [], to: []).isEmpty)
    }

    @Test func olderRowsComeInOrder() {
        let changes = PageRowChanges(from: rows([4, 5]), to: rows([1, 2, 3, 4, 5]))
        #expect(changes.put.map(\.row.id.text) == ["1", "2", "3"])
        #expect(changes.put.map(\.after?.text) == [nil, "1", "2"])
    }

    @Test func randomListsBecomeEachOther() {
        var numbers = SplitMix64(seed: 20)
        var moves = 0
        for _ in 0..<2000 {
            let old = (0..<12).filter { _ in .random(using: &numbers) }
            var new = (0..<14).filter { _ in .random(using: &numbers) }
            if Bool.random(using: &numbers) { new.shuffle(using: &numbers) }
            let changed = Set((0..<12).filter { _ in Int.random(in: 0..<6, using: &numbers) == 0 })
            let (before, after) = (rows(old), rows(new, changed: changed))
            let changes = PageRowChanges(from: before, to: after)
            #expect(applied(changes, to: before) == after, "\(old) to \(new)")
            moves += changes.put.count { put in before.contains(put.row) }
            // A row that is neither new nor changed is sent only if it moves.
            if new == new.sorted() { #expect(changes.put.allSatisfy { !before.contains($0.row) }) }
        }
        #expect(moves > 500, "the lists also contain moved rows")
    }
}
