/// One entry of the plan of a run. Its number names it on the command line and stays when others are taken out.
package struct PlannedItem: Hashable, Sendable {
    package var number: Int
    /// Milliseconds from the start.
    package var time: Int64
    package var happening: Happening
}
