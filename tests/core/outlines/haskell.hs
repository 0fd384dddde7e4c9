{-# LANGUAGE X #-}
module A.B (foo, Bar(..)) where
import Data.List (sort)
import qualified Data.Map as M

-- | doc
-- more
total :: Num a => [a] -> a -> a
total [] _ = 0
total (x:xs) r
  | r > 0 = x + total xs r -- c
  | otherwise = (x) + (y * 2)
  where y = 1
        z = 2
limit = 10
data Cart = Cart { size :: Int, name :: String } deriving (Show, Eq)
data Shape2 = Circle Int | Square { side :: Int }
newtype W a = W { unW :: a }
type Alias = Int
class Shape a where
  area :: a -> Int
  area _ = 1
instance Shape Cart where
  area c = size c
a <+> b = a + b
infixl 6 <+>
f x = let q = 1 in q
x `op` y = 1
(h . g) x = 1
(<->) :: Int -> Int
m, n :: Int
{-# INLINE f #-}
data G where { G1 :: Int -> G }
