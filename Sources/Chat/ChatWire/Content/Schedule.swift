/// The working hours of the operators.
package struct Schedule: Hashable, Sendable, OptionalFields {
    /// An interval on one day of the week.
    package struct Interval: Hashable, Sendable, WireObject {
        package var id: Int64?
        /// The day of the week: 1 is Monday, 7 is Sunday.
        package var weekDay: Int64
        /// The start in seconds of the day.
        package var startTime: Int64
        /// The end in seconds of the day, inclusive.
        package var endTime: Int64
        package var extra: JSONObject = [:]

        package init(
            id: Int64? = nil, weekDay: Int64, startTime: Int64, endTime: Int64
        ) {
            self.id = id
            self.weekDay = weekDay
            self.startTime = startTime
            self.endTime = endTime
        }

        init?(_ fields: inout FieldReader) {
            guard let weekDay = fields.integer("weekDay"), (1...7).contains(weekDay),
                let start = fields.integer("startTime"), let end = fields.integer("endTime")
            else { return nil }
            self.init(id: fields.integer("id"), weekDay: weekDay, startTime: start, endTime: end)
            extra = fields.rest
        }

        var json: JSONObject {
            var object = JSONObject()
            object.set("id", id)
            object.set("weekDay", weekDay)
            object.set("startTime", startTime)
            object.set("endTime", endTime)
            object.append(missingFrom: extra)
            return object
        }
    }

    package var id: Int64?
    package var active: Bool?
    package var sendDuringInactive: Bool?
    package var isVisibleOutOfHours: Bool?
    /// The text that is shown outside the working hours.
    package var notification: String?
    package var intervals: [Interval] = []
    /// The server's time in milliseconds since 1970.
    package var serverTime: Int64?
    package var extra: JSONObject = [:]

    package init(
        id: Int64? = nil, active: Bool? = nil, sendDuringInactive: Bool? = nil, isVisibleOutOfHours: Bool? = nil,
        notification: String? = nil, intervals: [Interval] = [], serverTime: Int64? = nil
    ) {
        self.id = id
        self.active = active
        self.sendDuringInactive = sendDuringInactive
        self.isVisibleOutOfHours = isVisibleOutOfHours
        self.notification = notification
        self.intervals = intervals
        self.serverTime = serverTime
    }

    init() {}

    /// An interval that cannot be read is ignored and kept in `extra`.
    mutating func visit(_ fields: inout some FieldVisitor) {
        fields.integer("id", &id)
        fields.bool("active", &active)
        fields.bool("sendDuringInactive", &sendDuringInactive)
        fields.bool("isVisibleOutOfHours", &isVisibleOutOfHours)
        fields.string("notification", &notification)
        fields.objects("intervals", &intervals)
        fields.time("serverTime", &serverTime)
    }
}
