use worldview_core::Budget;

use super::PlanePainter;
#[cfg(feature = "game")]
use super::drawn::Drawn;
use super::objects::PlacedObject;
use crate::level::number;

/// The objects of a plane.
pub(super) struct Placed {
    list: Vec<PlacedObject>,
    error: Option<worldview_core::Error>,
    #[cfg(feature = "game")]
    drawn: Drawn,
}

impl Placed {
    pub(super) fn of(painter: &PlanePainter<'_>) -> Self {
        let (plane, image) = (&painter.plane, painter.level.image());
        let mut budget = Budget::for_bytes(image.len(), "walk over the objects of a plane");
        let mut list = Vec::new();
        #[cfg(feature = "game")]
        let mut depths = Vec::new();
        let done = plane.objects().iter().try_for_each(|object| {
            let object = object?;
            let paid = budget.spend(object.size(), object.at, image.space());
            paid.map_err(|error| error.within(&"plane", number(plane.index())))?;
            list.push(PlacedObject::of(painter, &object));
            #[cfg(feature = "game")]
            depths.push(object.z.get());
            Ok(())
        });
        Self {
            #[cfg(feature = "game")]
            drawn: Drawn::of(painter.level, &list, &depths),
            list,
            error: done.err(),
        }
    }

    pub(super) fn list(&self) -> &[PlacedObject] {
        &self.list
    }

    pub(super) const fn error(&self) -> Option<worldview_core::Error> {
        self.error
    }

    #[cfg(feature = "game")]
    pub(super) const fn drawn(&self) -> &Drawn {
        &self.drawn
    }
}
